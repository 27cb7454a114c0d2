import type { ExecutionKind } from '../execution/execution.ts'
import type { ReviewVerdict } from '../review/review.ts'
import type { Severity } from '../review/severity.ts'

/** How long something took, how often. Each bucket counts what took at most `leMs` milliseconds. */
export type Durations = { count: number; sumMs: number; buckets: { leMs: number; count: number }[] }

/**
 * What was tried again: a model call; an execution, after something of it had failed; its work, in another attempt; or a
 * bead, in one that follows up.
 */
export type RetryLayer = 'api_call' | 'execution' | 'attempt' | 'follow_up'

/** How executions ended, since the data folder was created. */
export type Figures = {
  ended: { kind: ExecutionKind; state: string; reason: string | null; count: number }[]
  /** Executions that had started and ended, by how many attempts they had. */
  attempts: { kind: ExecutionKind; attempts: number; count: number }[]
  retries: { kind: ExecutionKind; layer: RetryLayer; reason: string; count: number }[]
  /** Steps of verifications, by type. */
  verifications: { type: string; passed: boolean; count: number }[]
  /** For each execution of work that had started and ended; null before the first one. */
  averageRetries: { apiCall: number; execution: number; attempt: number; followUp: number } | null
  /** Share of COMPLETED in the executions of work that ended uncancelled, 0 to 1; null before the first one. */
  successRate: number | null
  /** From queued to started. */
  queue: Durations
  /** From the start of an agent's session to its container's first event. */
  firstEvent: Durations
  tokens: { input: number; output: number }
  /** Reviews that ended; `verdict` null: without one. */
  reviews: { verdict: ReviewVerdict | null; count: number }[]
  /** Beads that reviews filed. */
  reviewIssues: { severity: Severity; count: number }[]
}
