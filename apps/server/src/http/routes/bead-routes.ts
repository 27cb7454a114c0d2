import { ChangeBead, NewBead } from '@beadloom/core/api/beads/bead-requests.ts'
import { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { beadFilters } from '@beadloom/core/records/bead.ts'
import { z } from 'zod'
import type { Commands, Queries } from '../ports.ts'
import { flag, paging } from '../routing/query-params.ts'
import { route, type Route } from '../routing/route.ts'

export const beadRoutes = (queries: Queries, commands: Commands): Route[] => [
  route({
    method: 'get',
    path: '/api/projects/:project/beads',
    summary: 'Beads of a project, each with the reason it is not running',
    query: z.strictObject({
      status: z
        .enum(beadFilters)
        .optional()
        .describe('"failed": in progress, but the last execution failed and nobody works on it'),
      ready: flag.describe('Only beads that are ready, or only those that are not'),
      ...paging,
    }),
    answer: { status: 200, description: 'Page of BeadCard' },
    handle: ({ params, query }) => queries.listBeads(params.project, query),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/beads',
    summary: 'Creates a bead',
    body: NewBead,
    idempotent: true,
    refusals: [409],
    answer: { status: 201, description: 'BeadView' },
    handle: ({ params, body, once }) => commands.addBead(params.project, body, once),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/dependencies',
    summary: 'Which beads wait for which',
    answer: { status: 200, description: 'DependenciesView' },
    handle: ({ params }) => queries.dependencies(params.project),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/beads/:bead',
    summary: 'One bead with its description, dependencies and executions',
    answer: { status: 200, description: 'BeadView' },
    handle: ({ params }) => queries.bead(params.project, params.bead),
  }),
  route({
    method: 'patch',
    path: '/api/projects/:project/beads/:bead',
    summary: 'Closes or reopens a bead, or changes what it says',
    body: ChangeBead,
    refusals: [409],
    answer: { status: 200, description: 'BeadView' },
    handle: ({ params, body }) => commands.changeBead(params.project, params.bead, body),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/beads/:bead/executions',
    summary: 'Queues a bead',
    body: QueueExecution,
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView, queued' },
    handle: ({ params, body, once }) => commands.queue(params.project, params.bead, body, once),
  }),
]
