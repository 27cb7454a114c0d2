import type { AddingApi } from '../ports.ts'
import { route, type Route } from '../routing/route.ts'

export const addingRoutes = (adding: AddingApi): Route[] => [
  route({
    method: 'get',
    path: '/api/adding',
    summary: 'Projects that are being added, with how far each is',
    answer: { status: 200, description: 'Page of AddingView' },
    handle: () => adding.list(),
  }),
  route({
    method: 'delete',
    path: '/api/adding/:project',
    summary: 'Ends the adding of a project: nothing of it stays',
    refusals: [409],
    answer: { status: 204, description: 'It ends' },
    handle: ({ params }) => adding.cancel(params.project),
  }),
]
