import type { ContainerApi } from '../ports.ts'
import { route, type Route } from '../routing/route.ts'

export const containerRoutes = (containers: ContainerApi): Route[] => [
  route({
    method: 'get',
    path: '/api/containers',
    summary: 'Containers that are kept because they may hold unsaved work',
    answer: { status: 200, description: '`{items: KeptContainer[]}`, the oldest first' },
    handle: () => containers.list(),
  }),
  route({
    method: 'post',
    path: '/api/containers/:container/save',
    summary: 'Tries now to save the work in a kept container',
    idempotent: true,
    refusals: [409],
    answer: { status: 200, description: 'SavedContainer; the container is removed' },
    handle: ({ params }) => containers.save(params.container),
  }),
  route({
    method: 'delete',
    path: '/api/containers/:container',
    summary: 'Removes a kept container with everything in it',
    answer: { status: 204, description: 'Removed' },
    handle: ({ params }) => containers.discard(params.container),
  }),
]
