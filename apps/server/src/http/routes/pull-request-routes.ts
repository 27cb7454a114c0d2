import { AskPullRequest } from '@beadloom/core/api/api.ts'
import { z } from 'zod'
import type { PullRequestApi } from '../ports.ts'
import { paging, whole } from '../routing/query-params.ts'
import { askedFor, route, type Route } from '../routing/route.ts'

export const pullRequestRoutes = (pullRequests: PullRequestApi): Route[] => [
  route({
    method: 'post',
    path: '/api/projects/:project/pull-requests',
    summary: 'Opens a pull request of the work branch, after a review of it',
    description:
      'A review of the work branch comes first, unless this very commit has one; only what it calls ready is pushed and opened. While one is on its way, 200 with that. Asking again when it is open brings it up to date.',
    body: AskPullRequest,
    idempotent: true,
    refusals: [409, 422],
    answer: { status: 202, description: 'PullRequestView of one that was asked for now' },
    handle: async ({ params, body }) => askedFor(await pullRequests.ask(params.project, body)),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/pull-requests',
    summary: 'Pull requests that were asked for, newest first',
    query: z.strictObject({ limit: whole(1, 200, 50).describe('At most so many items'), cursor: paging.cursor }),
    answer: { status: 200, description: 'Page of PullRequestView' },
    handle: ({ params, query }) => pullRequests.list(params.project, query),
  }),
  route({
    method: 'get',
    path: '/api/pull-requests/:pullRequest',
    summary: 'One pull request; its review has the issues',
    answer: { status: 200, description: 'PullRequestView' },
    handle: ({ params }) => pullRequests.get(params.pullRequest),
  }),
  route({
    method: 'post',
    path: '/api/pull-requests/:pullRequest/cancel',
    summary: 'Ends one that is on its way, and its review',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'PullRequestView; it ends a little later' },
    handle: ({ params }) => pullRequests.cancel(params.pullRequest),
  }),
]
