import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { endOfExit, endOfLost, failed, isStoppedOutside } from '../execution/ends.ts'
import type { SessionFacts } from '../sandbox/session-plan.ts'

type Facts = Pick<SessionFacts, 'outcome' | 'exit' | 'reason'>

/** Whether the check during which a session broke off counts as failed: nobody took its container away. */
export const brokeByItself = ({ outcome, exit, reason }: Facts): boolean =>
  outcome !== 'success' && !exit.lost && !isStoppedOutside(exit, reason)

/**
 * The proof in the session of a verification. `checks`: the results of its checks. `contradiction`: it says that it ended
 * well or badly, and its checks say the opposite, so nothing is known to have passed. An end: the work is not to blame.
 *
 * @param checks those that have ended, with the one during which the session broke off
 * @param steps how many there should be
 */
export function sessionVerdict(
  facts: Facts,
  checks: readonly Pick<Verification, 'exitCode'>[],
  steps: number,
  limitBytes: number,
): 'checks' | 'contradiction' | ExecutionEnd {
  const { outcome, exit, reason } = facts
  const anyFailed = checks.some(({ exitCode }) => exitCode !== 0)
  if (outcome === 'success' ? checks.length === steps && !anyFailed : anyFailed) return 'checks'
  if (isStoppedOutside(exit, reason)) return failed({ kind: 'stopped_outside' })
  if (exit.lost) return endOfLost(exit)
  // It broke before any check had begun.
  return outcome === 'infra_error' && checks.length === 0 ? endOfExit(exit, limitBytes, reason) : 'contradiction'
}
