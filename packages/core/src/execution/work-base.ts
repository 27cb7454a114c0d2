import type { Execution } from '../records/execution.ts'

type Known = Pick<Execution, 'id' | 'kind' | 'branch' | 'baseCommit' | 'checksFirst'>

/**
 * The commit where an execution began, from which its changes are shown. An execution that only checks earlier work
 * again begins where that work began; otherwise nothing would be shown.
 *
 * @param executions of its bead, newest first; may hold only the newest
 */
export function workBase(execution: Known, executions: readonly Known[]): string | null {
  if (!execution.checksFirst) return execution.baseCommit
  const at = executions.findIndex(({ id }) => id === execution.id)
  const before = executions
    .slice(at + 1)
    .find(
      (one) => one.kind === 'work' && one.branch === execution.branch && !one.checksFirst && one.baseCommit !== null,
    )
  return before?.baseCommit ?? execution.baseCommit
}
