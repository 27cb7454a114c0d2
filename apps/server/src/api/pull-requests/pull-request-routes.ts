import { AskPullRequest } from '@beadloom/core/api/pull-requests/pull-request-requests.ts'
import { z } from 'zod'
import {
  askPullRequest,
  cancelPullRequest,
  listPullRequests,
  pullRequest,
  type PullRequestDeps,
} from './pull-requests.ts'
import { paging, whole } from '../../http/routing/query-params.ts'
import { askedFor, route, type Route } from '../../http/routing/route.ts'

export const pullRequestRoutes = (deps: PullRequestDeps): Route[] => [
  route({
    method: 'post',
    path: '/api/projects/:project/pull-requests',
    summary: 'Reviews the work branch and opens a pull request if it is ready',
    description:
      'The work branch is reviewed first, unless this commit already was; it is pushed and opened only if the verdict is ready. While one is in progress, the answer is 200 with that one. Asking again while it is open updates it.',
    body: AskPullRequest,
    idempotent: true,
    refusals: [409, 422],
    answer: { status: 202, description: 'PullRequestView of the new pull request' },
    handle: async ({ params, body, once }) => askedFor(await askPullRequest(deps, params.project, body, once)),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/pull-requests',
    summary: 'Pull requests that were asked for, newest first',
    query: z.strictObject({ limit: whole(1, 200, 50).describe('Maximum number of items'), cursor: paging.cursor }),
    answer: { status: 200, description: 'Page of PullRequestView' },
    handle: ({ params, query }) => listPullRequests(deps, params.project, query),
  }),
  route({
    method: 'get',
    path: '/api/pull-requests/:pullRequest',
    summary: 'One pull request; its review has the issues',
    answer: { status: 200, description: 'PullRequestView' },
    handle: ({ params }) => pullRequest(deps, params.pullRequest),
  }),
  route({
    method: 'post',
    path: '/api/pull-requests/:pullRequest/cancel',
    summary: 'Cancels a pull request in progress, and its review',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'PullRequestView; it ends a little later' },
    handle: ({ params, once }) => cancelPullRequest(deps, params.pullRequest, once),
  }),
]
