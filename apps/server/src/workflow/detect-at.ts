import { detected, type Detected } from '@beadloom/core/environment/detected.ts'
import type { Found } from '@beadloom/core/environment/found.ts'
import { look } from '@beadloom/core/environment/look.ts'
import { MOST_PATHS, MOST_TEXT } from '@beadloom/core/environment/repository-files.ts'
import { wantedFiles } from '@beadloom/core/environment/wanted-files.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import { HubError, type Hub } from '../ports/hub.ts'

/** What a commit's own files say about its tests: the base branch's for a project's settings, any other's for its work. */
export async function detectAt(
  hub: Pick<Hub, 'readFile' | 'rootFiles'>,
  project: ProjectId,
  commit: string,
): Promise<Detected> {
  // Nothing below the root runs unasked.
  return detected(await lookAt(hub, project, commit, await hub.rootFiles(project, commit)))
}

/** Everything that a commit's files say, in all of its folders. */
export async function foundAt(
  hub: Pick<Hub, 'readFile' | 'paths'>,
  project: ProjectId,
  commit: string,
): Promise<Found> {
  // One more than are looked at: that there are more is said.
  return lookAt(hub, project, commit, await hub.paths(project, commit, MOST_PATHS + 1))
}

async function lookAt(hub: Pick<Hub, 'readFile'>, project: ProjectId, commit: string, paths: string[]): Promise<Found> {
  const texts = new Map<string, string>()
  for (const path of wantedFiles(paths)) {
    const text = await readable(hub, project, commit, path)
    if (text !== null) texts.set(path, text)
  }
  return look({ paths, texts })
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
