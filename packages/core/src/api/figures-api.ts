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

/** How often, in executions of complex beads and of others. */
export type ByComplexity = { complex: number; simple: number }

/**
 * How executions ended, since the data folder was created. `complex`: of a bead that goes by a plan, is an epic or a feature,
 * or has the label for a plan.
 */
export type Figures = {
  ended: { kind: ExecutionKind; state: string; reason: string | null; complex: boolean; count: number }[]
  /** Executions that had started and ended, by how many attempts they had. */
  attempts: { kind: ExecutionKind; attempts: number; count: number }[]
  retries: { kind: ExecutionKind; layer: RetryLayer; reason: string; complex: boolean; count: number }[]
  /** The built-in agent began again within its session, after the first time. */
  freshStarts: ByComplexity
  /** The built-in agent, or one that it asked, continued in a fresh context with what it had written down. */
  handovers: ByComplexity
  subAgents: ByComplexity
  /** Executions of work that failed, or ran out of time, with an agent whose context was at least 90 % full. */
  contextUsedUp: ByComplexity
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
