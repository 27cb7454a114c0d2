import type { ExecutionView } from '@beadloom/core/api/api.ts'
import type { ExecutionFlag, FailureReason, TimeoutReason } from '@beadloom/core/execution/execution.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import type { Tone } from './states.ts'

/** Why it failed or ran out of time, in a few words; its sentence says more. */
export const reasonWords: Record<FailureReason | TimeoutReason, string> = {
  tests_failed: 'tests cannot run',
  verification_exhausted: 'checks kept failing',
  push_conflict: 'conflict with other work',
  subtask_failed: 'a part of it failed',
  phase_review_failed: 'review not passed',
  plan_invalid: 'no valid plan',
  infra_error: 'infrastructure',
  retries_exhausted: 'its retries are used up',
  agent_failed: 'the agent ended with an error',
  turn_limit: 'out of steps',
  orchestrator_restart: 'the server stopped',
  budget_exhausted: 'out of tokens',
  no_progress: 'no progress: the same failure, nothing changed',
  wall_clock: 'out of time',
  silence: 'no output',
}

type FlagWords = { word: string; short: string; tone: Tone }
export const flagWords: Record<ExecutionFlag['kind'], FlagWords> = {
  flaky: { word: 'Flaky', short: 'flaky', tone: 'blocked' },
  tampered: { word: 'Tests weakened', short: 'tests weakened', tone: 'failed' },
  no_progress: { word: 'No progress', short: 'no progress', tone: 'failed' },
  adopted: { word: 'Went on over a restart', short: 'adopted', tone: 'queued' },
  outdated: { word: 'Bead changed meanwhile', short: 'bead changed', tone: 'blocked' },
}

export const verdictWords: Record<NonNullable<Verification['verdict']>, { word: string; says: string; tone: Tone }> = {
  same: { word: 'same failures', says: 'The same failures as in the attempt before.', tone: 'failed' },
  new: { word: 'new failures', says: 'Other failures than in the attempt before.', tone: 'blocked' },
  fewer: { word: 'fewer failures', says: 'A part of the failures of the attempt before.', tone: 'completed' },
}

/** Why there may be two counts beside each other. */
export const ATTEMPTS_AND_RUNS =
  'Attempts are counted when checks fail: a fresh agent goes on. Runs are counted when something around them fails (the container, Docker, the agent itself): the same is made again.'

/** "run 2 of 4", when runs are retried or have been; null otherwise. */
export function runText({
  retryAttempt,
  retryCount,
}: Pick<ExecutionView, 'retryAttempt' | 'retryCount'>): string | null {
  return retryCount === 0 && retryAttempt === 0
    ? null
    : `run ${retryAttempt + 1} of ${Math.max(retryCount, retryAttempt) + 1}`
}
