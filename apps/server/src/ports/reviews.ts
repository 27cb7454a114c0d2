import type { Refused } from '@beadloom/core/bead/bead.ts'
import type { Execution } from '@beadloom/core/execution/execution.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/ids.ts'
import type { Judgement, ReviewIssue, ReviewVerdict } from '@beadloom/core/review/review.ts'
import type { NewExecution } from './store.ts'

/** What the store knows of reviews. A review has the id of its execution. */
export interface Reviews {
  /** Its execution is queued with it. Refused while the bead, or the work branch, has a live execution. */
  queueReview(review: NewReview): Execution | Refused
  review(id: ExecutionId): ReviewRow | null
  /** Newest first. */
  reviews(project: ProjectId, filter: ReviewFilter): ReviewRow[]
  /** Which model reviews. */
  noteReviewer(id: ExecutionId, model: string | null): void
  /** The newest review of this bead (null: of the work branch) that lives, or came to a verdict about this commit. */
  reviewOf(project: ProjectId, bead: BeadId | null, commit: string): ReviewRow | null
  /** What a session submitted, the `number`th time; the same again is fine. */
  keepAnswer(session: SessionId, number: number, text: string): void
  answers(execution: ExecutionId): { session: SessionId; text: string }[]
  /** What it came to; the last word before its end. */
  judgeReview(id: ExecutionId, judged: JudgedReview): void
  /** One bead for each new issue, once; says what earlier reviews had found and this one does not. */
  fileReview(id: ExecutionId): void
  /** Nobody wants this issue: its bead is closed, and no later review files it. False: there is no such issue. */
  dismissIssue(id: ExecutionId, number: number, note: string): boolean
  /**
   * Somebody wants it after all: what dismissing it closed is open again, and it has a bead, a new one if there is none.
   */
  reopenIssue(id: ExecutionId, number: number): 'reopened' | 'not dismissed' | 'missing'
  /** Whether every check of one verification of this commit has passed, in whatever execution. */
  isVerified(project: ProjectId, commit: string): boolean
  /** Those of the newest verifications, newest first. */
  verifiedCommits(project: ProjectId, limit: number): string[]
}

/** `bead` null: of the work branch; left out: of everything. `before`: only what was asked for earlier than this one. */
export type ReviewFilter = { bead?: BeadId | null; before?: ExecutionId; limit: number }

/** `bead` null: the work branch is reviewed. */
export type NewReview = Omit<NewExecution, 'bead' | 'kind'> & { bead: BeadId | null; from: string; to: string }

export type JudgedReview = Judgement & { summary: string; issues: (ReviewIssue & { outside_diff: boolean })[] }

export type ReviewIssueRow = ReviewIssue & {
  number: number
  outside_diff: boolean
  filed: 'new' | 'known' | 'dismissed' | null
  bead: BeadId | null
  /** Why nobody wants it, whoever said so first; null as long as it stands. */
  dismissed: string | null
}

export type ReviewRow = {
  execution: ExecutionId
  project: ProjectId
  bead: BeadId | null
  branch: string
  from: string
  to: string
  model: string | null
  verdict: ReviewVerdict | null
  reasons: string[]
  summary: string
  issues: ReviewIssueRow[]
  /** Beads of earlier reviews of the same that are open, and that this one does not find any more. */
  fixed: BeadId[]
}
