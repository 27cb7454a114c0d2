import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import type { PullRequest } from '@beadloom/core/review/pull-request.ts'

export const pullRequestView = (row: PullRequest): PullRequestView => ({
  id: row.id,
  project: row.project,
  state: row.state,
  branch: row.branch,
  base: row.base,
  commit: row.commit,
  title: row.title,
  review: row.review,
  forge: row.forge,
  url: row.url,
  number: row.number,
  detail: row.detail,
  askedAt: row.askedAt,
  endedAt: row.endedAt,
})
