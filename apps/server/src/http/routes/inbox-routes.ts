import { ChangeInbox } from '@beadloom/core/api/projects/inbox-api.ts'
import type { InboxApi } from '../ports.ts'
import { route, type Route } from '../routing/route.ts'

export const inboxRoutes = (inbox: InboxApi): Route[] => [
  route({
    method: 'get',
    path: '/api/projects/:project/inbox',
    summary: 'The notices that people have dismissed',
    answer: { status: 200, description: 'InboxView' },
    handle: ({ params }) => inbox.of(params.project),
  }),
  route({
    method: 'patch',
    path: '/api/projects/:project/inbox',
    summary: 'Dismisses notices for every browser, or takes that back',
    body: ChangeInbox,
    answer: { status: 200, description: 'InboxView' },
    handle: ({ params, body }) => inbox.change(params.project, body),
  }),
]
