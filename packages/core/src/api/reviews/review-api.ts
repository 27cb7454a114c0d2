import type { Bead } from '../../records/bead.ts'
import type { Reason } from '../../dispatch/reason.ts'
import type { Execution } from '../../records/execution.ts'
import type { ReviewIssue, ReviewVerdict } from '../../review/review.ts'

/**
 * An issue of a review. `filed`: a bead was created for it, there was one already, or it is dismissed; null until the
 * review has ended.
 */
export type ReviewIssueView = ReviewIssue & {
  number: number
  outside_diff: boolean
  filed: 'new' | 'known' | 'dismissed' | null
  bead: string | null
  beadStatus: Bead['status'] | null
  /** Why it was dismissed (at least the word "dismissed"); null if it was not. */
  dismissed: string | null
}

/** A review; `id` is its execution's. */
export type ReviewView = {
  id: string
  project: string
  /** The reviewed bead; null: the work branch. */
  bead: string | null
  branch: string
  /** The pinned diff. */
  from: string
  to: string
  /** Whether the branch is still at `to`; null if not checked (in lists). */
  current: boolean | null
  state: Execution['state']
  /** Why it is not running yet, as in the server status; null once it runs or has ended. */
  reason: Reason | null
  /** A sentence about its end. */
  detail: string
  /** The model that reviews; null before its first session, and if a command line chooses it. */
  model: string | null
  /** The session with the log to read: the reviewer's newest, else the newest. Null before the first one. */
  session: string | null
  /** Null until there is one, and if the review ended without one. */
  verdict: ReviewVerdict | null
  pr_ready: boolean
  /** Why it is not ready. */
  reasons: string[]
  summary: string
  issues: ReviewIssueView[]
  /** Beads from earlier reviews of the same work whose issues this one no longer finds. */
  fixed: { bead: string; title: string }[]
  queuedAt: number
  startedAt: number | null
  endedAt: number | null
  /** Milliseconds during which the server ran; `lasted` handles its absence. */
  tookMs?: number
}
