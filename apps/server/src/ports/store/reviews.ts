import type { Refused } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Judgement, ReviewIssue, ReviewVerdict } from '@beadloom/core/review/review.ts'
import type { NewExecution } from './executions.ts'

/** Reviews, their answers and their issues. A review has the id of its execution. */
export interface ReviewStore {
  /** Queues a review with its execution. Refused while the bead, or the work branch, has a live execution. */
  queueReview(review: NewReview): Execution | Refused
  review(id: ExecutionId): ReviewRow | null
  /** Newest first. */
  reviews(project: ProjectId, filter: ReviewFilter): ReviewRow[]
  /** Notes the model that reviews. */
  noteReviewer(id: ExecutionId, model: string | null): void
  /** The newest review of this bead (null: of the work branch) that is live or has a verdict about this commit. */
  reviewOf(project: ProjectId, bead: BeadId | null, commit: string): ReviewRow | null
  /** Keeps the `number`th answer of a session. Storing the same again changes nothing. */
  keepAnswer(session: SessionId, number: number, text: string): void
  answers(execution: ExecutionId): { session: SessionId; text: string }[]
  /** The verdict and the issues; a later call replaces them as long as no bead is filed for them. */
  judgeReview(id: ExecutionId, judged: JudgedReview): void
  /** One bead for each new issue, once; notes which issues of earlier reviews this one no longer finds. */
  fileReview(id: ExecutionId): void
  /** A person dismisses an issue: its bead is closed, and no later review files it. False: there is no such issue. */
  dismissIssue(id: ExecutionId, number: number, note: string): boolean
  /** Takes a dismissal back: reopens the bead that it closed, or files a new one if there was none. */
  reopenIssue(id: ExecutionId, number: number): 'reopened' | 'not dismissed' | 'missing'
}

/** `bead` null: the work branch; absent: everything. `before`: only those that are older than this one. */
export type ReviewFilter = { bead?: BeadId | null; before?: ExecutionId; limit: number }

/** `bead` null: the work branch is reviewed. */
export type NewReview = Omit<NewExecution, 'bead' | 'kind'> & { bead: BeadId | null; from: string; to: string }

export type JudgedReview = Judgement & { summary: string; issues: (ReviewIssue & { outside_diff: boolean })[] }

export type ReviewIssueRow = ReviewIssue & {
  number: number
  outside_diff: boolean
  filed: 'new' | 'known' | 'dismissed' | null
  bead: BeadId | null
  /** Why it was dismissed; null if it is not. */
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
  /** Open beads of earlier reviews of the same bead or branch, whose issues this review no longer finds. */
  fixed: BeadId[]
}
