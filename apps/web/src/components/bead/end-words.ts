import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ExecutionFlag, FailureReason, TimeoutReason } from '@beadloom/core/records/execution.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { Tone } from './states.ts'

/**
 * Why an execution failed or timed out, in a few words; its own sentence says more. A new reason gets its words here.
 */
const reasonWords: Record<FailureReason | TimeoutReason, string> = {
  tests_failed: 'tests cannot run',
  verification_exhausted: 'checks failed',
  phase_unchanged: 'a phase needed no change',
  nothing_committed: 'nothing was committed',
  no_checks: 'no test suite',
  tests_weakened: 'tests weakened',
  not_checked: 'not checked',
  secrets_found: 'a secret was found',
  runs_elsewhere: 'changes files that run elsewhere',
  push_conflict: 'conflicts with other work',
  subtask_failed: 'a subtask failed',
  phase_review_failed: 'phase review failed',
  plan_invalid: 'no valid plan',
  infra_error: 'infrastructure error',
  retries_exhausted: 'no retries left',
  agent_failed: 'agent error',
  turn_limit: 'step limit reached',
  orchestrator_restart: 'server restarted',
  budget_exhausted: 'limit reached',
  no_progress: 'no progress: same failure, nothing changed',
  wall_clock: 'time limit reached',
  silence: 'no output',
}

/** The words of an execution's reason; null while it has none. */
export function reasonText({ reason, attempt }: Pick<ExecutionView, 'reason' | 'attempt'>): string | null {
  if (reason === null) return null
  // A newer server may send a reason that this page does not know.
  const words = reasonWords[reason] ?? String(reason).replaceAll('_', ' ')
  return reason === 'verification_exhausted' && attempt > 1 ? `${words} ${attempt} times` : words
}

type FlagWords = { word: string; short: string; tone: Tone }
export const flagWords: Record<ExecutionFlag['kind'], FlagWords> = {
  base_red: { word: 'Fails on the base too', short: 'base red', tone: 'queued' },
  secrets: { word: 'Looks like a secret', short: 'secret found', tone: 'failed' },
  not_checked: { word: 'Not checked', short: 'not checked', tone: 'blocked' },
  runs_elsewhere: { word: 'Changes files that run elsewhere', short: 'runs elsewhere', tone: 'blocked' },
  tests_changed: { word: 'Tests changed', short: 'tests changed', tone: 'queued' },
  flaky: { word: 'Flaky', short: 'flaky', tone: 'blocked' },
  tampered: { word: 'Tests weakened', short: 'tests weakened', tone: 'failed' },
  no_progress: { word: 'No progress', short: 'no progress', tone: 'failed' },
  adopted: { word: 'Survived a restart', short: 'survived a restart', tone: 'queued' },
  unverified: { word: 'Not verified', short: 'not verified', tone: 'blocked' },
  checks_made: { word: 'Checks made by this bead', short: 'own checks', tone: 'queued' },
  opinion: { word: 'Judge has doubts', short: 'doubted', tone: 'blocked' },
  outdated: { word: 'Bead changed during the work', short: 'bead changed', tone: 'blocked' },
}

export const verdictWords: Record<NonNullable<Verification['verdict']>, { word: string; says: string; tone: Tone }> = {
  same: { word: 'same failures', says: 'The same failures as in the previous attempt.', tone: 'failed' },
  new: { word: 'new failures', says: 'Failures that the previous attempt did not have.', tone: 'blocked' },
  fewer: { word: 'fewer failures', says: 'Only some of the failures of the previous attempt.', tone: 'completed' },
}

/** Explains why two counts may be side by side. */
export const ATTEMPTS_AND_RETRIES =
  'Failed checks use up an attempt, and a new agent continues. A failure of the container, Docker, the agent or its model uses up a retry, and the execution starts again.'

/** "retry 1 of 3", "up to 3 retries" before the first; null if the policy allows none. */
export function retriesText({
  retryAttempt,
  retryCount,
}: Pick<ExecutionView, 'retryAttempt' | 'retryCount'>): string | null {
  if (retryAttempt > 0) return `retry ${retryAttempt} of ${Math.max(retryCount, retryAttempt)}`
  return retryCount === 0 ? null : `up to ${retryCount === 1 ? 'one retry' : `${retryCount} retries`}`
}
