import { ChangeBead, NewBead } from '@beadloom/core/api/beads/bead-requests.ts'
import { beadFilters } from '@beadloom/core/records/bead.ts'
import { z } from 'zod'
import { noBead, noProject } from '../../app/stored/refusals.ts'
import { addBead, changeBead, type BeadCommandDeps } from './bead-commands.ts'
import { dependenciesOf } from './dependencies-query.ts'
import { listBeads } from './list-beads.ts'
import { flag, paging } from '../../http/routing/query-params.ts'
import { route, type Route } from '../../http/routing/route.ts'

export const beadRoutes = (deps: BeadCommandDeps): Route[] => [
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
    handle: ({ params: { project }, query }) =>
      deps.store.project(project) ? listBeads(deps.views, project, query) : noProject(project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/beads',
    summary: 'Creates a bead',
    body: NewBead,
    idempotent: true,
    refusals: [409],
    answer: { status: 201, description: 'BeadView' },
    handle: ({ params, body, once }) => addBead(deps, params.project, body, once),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/dependencies',
    summary: 'Which beads wait for which',
    answer: { status: 200, description: 'DependenciesView' },
    handle: ({ params }) => dependenciesOf(deps.store, params.project),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/beads/:bead',
    summary: 'One bead with its description, dependencies and executions',
    answer: { status: 200, description: 'BeadView' },
    handle: ({ params: { project, bead } }) =>
      deps.store.project(project)
        ? (deps.views.beadInFull(project, bead) ?? noBead(project, bead))
        : noProject(project),
  }),
  route({
    method: 'patch',
    path: '/api/projects/:project/beads/:bead',
    summary: 'Closes, reopens or edits a bead',
    body: ChangeBead,
    refusals: [409],
    answer: { status: 200, description: 'BeadView' },
    handle: ({ params, body }) => changeBead(deps, params.project, params.bead, body),
  }),
]
