import type { ExecutionKind } from '../../records/execution.ts'
import type { ReviewVerdict } from '../../review/review.ts'
import type { Severity } from '../../review/severity.ts'

/** A histogram of durations. Each bucket counts those of at most `leMs` milliseconds. */
export type Durations = { count: number; sumMs: number; buckets: { leMs: number; count: number }[] }

/**
 * The kinds of retries: of a model call; of an execution, after a part of it had failed; of its work, in another
 * attempt; of a bead, in a follow-up.
 */
export type RetryLayer = 'api_call' | 'execution' | 'attempt' | 'follow_up'

/** A count for executions of complex beads and for the others. */
export type ByComplexity = { complex: number; simple: number }

/**
 * The ends of executions since the data folder was created. `complex`: their bead has a plan, is an epic or a feature,
 * or has the label for a plan.
 */
export type Figures = {
  ended: { kind: ExecutionKind; state: string; reason: string | null; complex: boolean; count: number }[]
  /** Executions that had started and ended, by their number of attempts. */
  attempts: { kind: ExecutionKind; attempts: number; count: number }[]
  retries: { kind: ExecutionKind; layer: RetryLayer; reason: string; complex: boolean; count: number }[]
  /** Fresh starts of the built-in agent within its session; its first start does not count. */
  freshStarts: ByComplexity
  /** The built-in agent, or a sub-agent, continued in a fresh context with its own notes. */
  handovers: ByComplexity
  subAgents: ByComplexity
  /** Executions of work that failed, or ran out of time, with an agent whose context was at least 90 % full. */
  contextUsedUp: ByComplexity
  /** Steps of verifications, by type. */
  verifications: { type: string; passed: boolean; count: number }[]
  /** Per execution of work that had started and ended; null before the first one. */
  averageRetries: { apiCall: number; execution: number; attempt: number; followUp: number } | null
  /** The share of COMPLETED among the executions of work that were not cancelled, 0 to 1; null before the first one. */
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
