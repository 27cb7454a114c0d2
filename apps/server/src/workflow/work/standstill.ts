import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { failedAttempts, failuresOf } from '@beadloom/core/execution/next-step.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { failed } from '../../execution/ends.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { digestOfFailures } from './failure-digest.ts'
import { endOfOwnCheck } from './own-work.ts'

/** Whether an attempt failed like the one before, with nothing changed in between: more attempts would only cost. */
export async function standsStill({ id, deps, project }: LiveExecution, attempt: number): Promise<boolean> {
  const rows = deps.store.verifications(id)
  const former = failedAttempts(rows).find((one) => one < attempt)
  if (former === undefined) return false
  const [before, after] = [failuresOf(rows, former), failuresOf(rows, attempt)]
  const marks = (failures: readonly Verification[]) =>
    failures.map((row) => `${row.name}:${row.fingerprint}`).join('\n')
  if (marks(before) !== marks(after)) return false
  const [from, to] = [before[0]?.commit ?? '', after[0]?.commit ?? '']
  return from === to || (await deps.hub.diff(project.id, from, to)).length === 0
}

export async function endOfStandstill(live: LiveExecution, attempt: number): Promise<ExecutionEnd> {
  const { store } = live.deps
  const own = endOfOwnCheck(live, failuresOf(store.verifications(live.id), attempt))
  if (own) return own
  const text = `attempt ${attempt} failed like the one before and changed nothing`
  await store.flagExecution(live.id, { kind: 'no_progress', text })
  const kept = ` Its work is on the branch ${storedOf(live).branch}.`
  return failed(
    { kind: 'no_progress', attempts: attempt },
    `${kept}\n${digestOfFailures(store.verifications(live.id))}`,
  )
}
