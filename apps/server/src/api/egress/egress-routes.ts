import { route, type Route } from '../../http/routing/route.ts'
import { egressOf, egressOfProject, type EgressReads } from './egress-query.ts'

export const egressRoutes = ({ store }: { store: EgressReads }): Route[] => [
  route({
    method: 'get',
    path: '/api/projects/:project/egress',
    summary: 'Hosts that its containers asked for by the proxy, and the `network.allow` that would have let them',
    answer: { status: 200, description: 'EgressView' },
    handle: ({ params }) => egressOfProject(store, params.project),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/egress',
    summary: 'Hosts that its containers asked for by the proxy, and what became of it',
    answer: { status: 200, description: 'EgressView' },
    handle: ({ params }) => egressOf(store, params.execution),
  }),
]
