import type { ReviewVerdict } from '../review/review.ts'
import type { Severity } from '../review/severity.ts'

/** How long something took, how often. Each bucket counts what took at most `leMs` milliseconds. */
export type Durations = { count: number; sumMs: number; buckets: { leMs: number; count: number }[] }

/** How executions ended, since the data folder was created. */
export type Figures = {
  ended: { state: string; reason: string | null; count: number }[]
  /** Executions that ended, by how many attempts they had. */
  attempts: { attempts: number; count: number }[]
  /** `layer`: `api_call`, `run`, `verification`, `follow_up`. */
  retries: { layer: string; reason: string; count: number }[]
  /** Steps of verifications, by type. */
  verifications: { type: string; passed: boolean; count: number }[]
  /** Retries of all layers for each execution that ended; null before the first one. */
  averageRetries: number | null
  /** Share of COMPLETED in the executions that ended uncancelled, 0 to 1; null before the first one. */
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
