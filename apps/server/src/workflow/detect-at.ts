import { detect } from '@beadloom/core/project/detect.ts'
import type { Detected } from '@beadloom/core/project/detect.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import type { Hub } from '../ports/hub.ts'

const MOST_BYTES = 1024 * 1024

/** What a commit's own files say about its tests: the base branch's for a project's settings, any other's for its work. */
export async function detectAt(
  hub: Pick<Hub, 'readFile' | 'rootFiles'>,
  project: ProjectId,
  commit: string,
): Promise<Detected> {
  const manifest = await hub.readFile(project, commit, 'package.json', MOST_BYTES)
  return detect(await hub.rootFiles(project, commit), manifest)
}
