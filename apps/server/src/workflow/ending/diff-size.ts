import type { DiffSize, Execution } from '@beadloom/core/execution/execution.ts'
import { workBase } from '@beadloom/core/execution/work-base.ts'
import { HubError, type DiffFile } from '../../ports/hub.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'

/**
 * Counts what verified work changes, once, when it has ended: boards show it of hundreds of beads, and must not ask git
 * for any of them. A repository that cannot be read leaves it out. Safe to repeat.
 */
export async function noteDiffSize(
  { store, hub, log }: Pick<ExecutionDeps, 'store' | 'hub' | 'log'>,
  execution: Execution,
): Promise<void> {
  const { id, project, bead, commit, diffSize } = execution
  const base = workBase(execution, execution.checksFirst ? store.executions({ project, bead, limit: 50 }) : [])
  if (base === null || commit === null || diffSize !== null) return
  let files: DiffFile[]
  try {
    files = await hub.diff(project, base, commit)
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return log.warn({ error, execution: id }, 'what an execution changed could not be counted')
  }
  await store.noteDiffSize(id, sizeOf(files))
}

const sizeOf = (files: readonly DiffFile[]): DiffSize => ({
  files: files.length,
  added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
  removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
})
