/**
 * The state of a request for a pull request of the work branch.
 *
 * - `reviewing`: the review that comes first is queued or runs.
 * - `opening`: the review called the commit ready; the branch is being pushed and the forge asked, with retries.
 * - `open`: the pull request is at `url`.
 * - `pushed`: the branch is on the remote, but the remote is not a forge that Beadloom knows, or there is no token for
 *   it; `url` is the compare link if there is one.
 * - `not_ready`: the review said no; nothing was opened.
 * - `failed`: something else; `detail` says what to do.
 */
export const pullRequestStates = ['reviewing', 'opening', 'open', 'pushed', 'not_ready', 'failed'] as const
export type PullRequestState = (typeof pullRequestStates)[number]

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
