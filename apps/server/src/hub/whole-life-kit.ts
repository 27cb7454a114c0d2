import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { execution, type Kit, projectId } from './hub-kit.ts'

/** Programs of a repository that the server ran: each leaves a file `ran-…` (`marker` of the kit). */
export const snapped = async (kit: Kit): Promise<string[]> =>
  (await readdir(kit.root)).filter((name) => name.startsWith('ran-'))

/** A project's whole work with its repository, from the first fetch to the published branch. */
export async function wholeLife(kit: Kit, source: string): Promise<string> {
  const project = kit.project(source)
  const { commit } = await kit.hub.fetch(project)
  await kit.hub.workTip(project, 'beadloom/work', 'main')
  await kit.hub.ensureBranch(projectId, 'beads-1', commit)
  const url = await kit.serve({ project: projectId, execution, pushable: { branch: 'beads-1' } })
  const work = join(kit.root, `work-${execution}`)
  await kit.git(kit.root, 'clone', '-q', '-b', 'beads-1', url, work)
  const made = await kit.commit(work, { 'made.txt': 'made\n' })
  await kit.git(work, 'push', '-q', 'origin', 'HEAD')
  await kit.hub.integrate(projectId, 'beadloom/work', made, 'Merge')
  for await (const chunk of await kit.hub.archive(projectId, made)) void chunk
  await kit.hub.patch(projectId, commit, made, 'made.txt')
  const published = await kit.hub.publish(project, ['beads-1', 'beadloom/work'])
  expect(published).toEqual({ ok: true, failed: [] })
  await kit.hub.fetch(project)
  return made
}
