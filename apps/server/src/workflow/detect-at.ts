import { detected, type Detected } from '@beadloom/core/environment/detected.ts'
import { look } from '@beadloom/core/environment/look.ts'
import { MOST_TEXT } from '@beadloom/core/environment/repository-files.ts'
import { wantedFiles } from '@beadloom/core/environment/wanted-files.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import { HubError, type Hub } from '../ports/hub.ts'

/** What a commit's own files say about its tests: the base branch's for a project's settings, any other's for its work. */
export async function detectAt(
  hub: Pick<Hub, 'readFile' | 'rootFiles'>,
  project: ProjectId,
  commit: string,
): Promise<Detected> {
  const paths = await hub.rootFiles(project, commit)
  const texts = new Map<string, string>()
  for (const path of wantedFiles(paths)) {
    const text = await readable(hub, project, commit, path)
    if (text !== null) texts.set(path, text)
  }
  return detected(look({ paths, texts }))
}

/** A file that is too large counts as one that cannot be read: the tool that it is for may take it all the same. */
async function readable(
  hub: Pick<Hub, 'readFile'>,
  project: ProjectId,
  commit: string,
  path: string,
): Promise<string | null> {
  try {
    return await hub.readFile(project, commit, path, MOST_TEXT)
  } catch (error) {
    if (error instanceof HubError && error.kind === 'refused') return null
    throw error
  }
}
