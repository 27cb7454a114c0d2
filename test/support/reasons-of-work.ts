import type { FailureReason } from '@beadloom/core/records/failure/failure-reason.ts'

/** Ends that are about the work. The others are about the machine, the agent or the time. */
export const reasonsOfWork: ReadonlySet<string | null> = new Set<FailureReason>([
  'tests_failed',
  'verification_exhausted',
  'no_progress',
  'tests_weakened',
  'not_checked',
  'secrets_found',
  'runs_elsewhere',
  'no_checks',
])
