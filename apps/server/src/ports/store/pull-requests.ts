import type { Refused } from '@beadloom/core/records/bead.ts'
import type { ProjectId, PullRequestId } from '@beadloom/core/records/ids.ts'
import type { PullRequest, PullRequestMove } from '@beadloom/core/review/pull-request.ts'

/** The pull requests that people asked for. */
export interface PullRequestStore {
  /** Refused while the project has a live one. */
  askPullRequest(asked: AskedPullRequest): PullRequest | Refused
  pullRequest(id: PullRequestId): PullRequest | null
  /** Newest first; with `before`, only those that were asked for earlier. */
  pullRequests(project: ProjectId, limit: number, before?: number): PullRequest[]
  newestPullRequest(project: ProjectId): PullRequest | null
  livePullRequests(): PullRequest[]
  /** Refused if the transition function in core refuses. */
  movePullRequest(id: PullRequestId, move: PullRequestMove): PullRequest | Refused
}

export type AskedPullRequest = Pick<
  PullRequest,
  'id' | 'project' | 'branch' | 'base' | 'from' | 'commit' | 'title' | 'ownTitle' | 'review' | 'detail'
>
