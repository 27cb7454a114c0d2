import { executionStates } from '@beadloom/core/records/execution.ts'
import { parseBeadId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { z } from 'zod'
import type { Clock } from '../../process/clock.ts'
import { waitForEvents } from './long-poll.ts'
import { evidenceImageOf } from './evidence-image.ts'
import { listExecutions } from './list-executions.ts'
import { noExecution } from '../../app/stored/refusals.ts'
import type { ServerViews } from '../../app/views/views.ts'
import type { Store } from '../../ports/store.ts'
import { Problem } from '../../ports/problem.ts'
import { idText, paging, whole } from '../../http/routing/query-params.ts'
import { Reply, route, type Route } from '../../http/routing/route.ts'

type ExecutionDeps = { store: Store; views: Pick<ServerViews, 'execution'>; clock: Clock }

export const executionRoutes = (deps: ExecutionDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/executions',
    summary: 'Executions, newest first',
    query: z.strictObject({
      project: idText(parseProjectId),
      bead: idText(parseBeadId),
      state: z.enum(executionStates).optional(),
      ...paging,
    }),
    answer: { status: 200, description: 'Page of ExecutionView' },
    handle: ({ query }) => listExecutions(deps, query),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution',
    summary: 'One execution with its sessions and tokens',
    answer: { status: 200, description: 'ExecutionView' },
    handle: ({ params }) => deps.views.execution(params.execution) ?? noExecution(params.execution),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/evidence.svg',
    summary: 'What was shown about its work and what was not, as a picture',
    refusals: [409],
    answer: {
      status: 200,
      description: 'SVG, 720 pixels wide, without fonts, scripts or links',
      content: 'image/svg+xml',
    },
    handle: ({ params: { execution } }) => asPicture(evidenceImageOf(deps.store, execution), execution),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/events',
    summary: 'Events after a number; waits up to `wait` seconds for the next one',
    description:
      'Ask again with `after` = `next`. Nothing is lost, repeated or out of order. Stop when `ended` is true and `items` has been read.',
    query: z.strictObject({
      after: whole(0, Number.MAX_SAFE_INTEGER, 0).describe('Only events with a greater `seq`'),
      limit: whole(1, 1000, 200),
      wait: whole(0, 60, 0).describe('Seconds to wait when there is no event yet'),
    }),
    answer: { status: 200, description: 'EventPage' },
    handle: ({ params, query, signal }) => waitForEvents(deps, params.execution, query, signal),
  }),
]

/** Served as a download: opened directly, an SVG would be a page of its own. */
const asPicture = (svg: string | Problem, execution: string): Problem | Reply =>
  svg instanceof Problem
    ? svg
    : new Reply(svg, {
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Content-Disposition': `attachment; filename="${execution}.svg"`,
      })
