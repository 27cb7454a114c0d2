import { join } from 'node:path'
import { execution, type Kit, projectId } from '../hub-kit.ts'

/** Makes a bead's branch one commit ahead of the base, pushed as a container does. Returns that commit. */
export async function finishedWork(kit: Kit, source: string, branch: string): Promise<string> {
  const { commit: base } = await kit.hub.fetch(kit.project(source))
  await kit.hub.ensureBranch(projectId, branch, base)
  const url = await kit.serve({ project: projectId, execution, pushable: { branch } })
  const work = join(kit.root, 'work')
  await kit.git(kit.root, 'clone', '-q', '-b', branch, url, work)
  const made = await kit.commit(work, { 'new.txt': 'new' })
  await kit.git(work, 'push', '-q', 'origin', 'HEAD')
  return made
}
