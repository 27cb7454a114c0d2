import { AskReview, DismissIssue } from '@beadloom/core/api/reviews/review-requests.ts'
import { parseBeadId } from '@beadloom/core/records/ids.ts'
import { z } from 'zod'
import { askReview, dismiss, listReviews, reopen, review, type ReviewDeps } from './reviews.ts'
import { idOrNone, paging, whole } from '../../http/routing/query-params.ts'
import { askedFor, route, type Route } from '../../http/routing/route.ts'

export const reviewRoutes = (deps: ReviewDeps): Route[] => [
  route({
    method: 'post',
    path: '/api/projects/:project/reviews',
    summary: 'Reviews a bead, or the work branch',
    description:
      'If the target is being reviewed, or its commit already was, the answer is 200 with that review. `again` starts another one.',
    body: AskReview,
    idempotent: true,
    refusals: [409, 422],
    answer: { status: 202, description: 'ReviewView of the new review, queued' },
    handle: async ({ params, body, once }) => askedFor(await askReview(deps, params.project, body, once)),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/reviews',
    summary: 'Reviews of a project, newest first',
    query: z.strictObject({
      bead: idOrNone(parseBeadId).describe('Only reviews of this bead; empty: only those of the work branch'),
      limit: whole(1, 200, 50).describe('Maximum number of items'),
      cursor: paging.cursor,
    }),
    answer: { status: 200, description: 'Page of ReviewView' },
    handle: ({ params, query }) => listReviews(deps, params.project, query),
  }),
  route({
    method: 'get',
    path: '/api/reviews/:execution',
    summary: 'One review; it has the id of its execution',
    answer: { status: 200, description: 'ReviewView' },
    handle: ({ params }) => review(deps, params.execution),
  }),
  route({
    method: 'post',
    path: '/api/reviews/:execution/issues/:issue/dismiss',
    summary: 'Dismisses an issue: closes its bead, and no later review reports it again',
    body: DismissIssue,
    idempotent: true,
    answer: { status: 200, description: 'ReviewView' },
    handle: ({ params, body }) => dismiss(deps, params.execution, params.issue, body),
  }),
  route({
    method: 'post',
    path: '/api/reviews/:execution/issues/:issue/reopen',
    summary: 'Undoes a dismissal: the issue and its bead are open again',
    idempotent: true,
    refusals: [409],
    answer: { status: 200, description: 'ReviewView' },
    handle: ({ params, once }) => reopen(deps, params.execution, params.issue, once),
  }),
]
