import type { PullRequestState } from '../../review/pull-request.ts'
export type PullRequestView = {
  id: string
  project: string
  state: PullRequestState
  /** The work branch, the branch to merge it into, and the reviewed commit (null before the review has begun). */
  branch: string
  base: string
  commit: string | null
  title: string
  /** The review that comes first and has the issues. */
  review: string | null
  forge: string | null
  url: string | null
  number: number | null
  /** A sentence: its progress, or what to do. */
  detail: string
  askedAt: number
  endedAt: number | null
}
