import { beadRoutes } from './bead-routes.ts'
import { executionRoutes } from './execution-routes.ts'
import { logRoutes } from './log-routes.ts'
import { openApi } from './openapi.ts'
import { projectRoutes } from './project-routes.ts'
import type { Commands, PullRequestApi, Queries, ReviewApi, SettingsApi } from './ports.ts'
import { pullRequestRoutes } from './pull-request-routes.ts'
import { reviewRoutes } from './review-routes.ts'
import { route, type Route } from './route.ts'
import { serverRoutes } from './server-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import type { LogReader } from '../ports/logs.ts'
import type { Clock } from '../process/clock.ts'

export type RouteDeps = {
  queries: Queries
  commands: Commands
  reviews: ReviewApi
  pullRequests: PullRequestApi
  settings: SettingsApi
  logs: LogReader
  clock: Clock
  version: string
}

export function routeTable({
  queries,
  commands,
  reviews,
  pullRequests,
  settings,
  logs,
  clock,
  version,
}: RouteDeps): Route[] {
  const document = route({
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document',
    answer: { status: 200, description: 'OpenAPI 3.1' },
    handle: () => described,
  })
  const routes = [
    ...serverRoutes(queries),
    document,
    ...projectRoutes(queries, commands),
    ...beadRoutes(queries, commands),
    ...executionRoutes(queries, commands, clock),
    ...reviewRoutes(reviews),
    ...pullRequestRoutes(pullRequests),
    ...settingsRoutes(settings),
    ...logRoutes({ logs, queries, clock }),
  ]
  const described = openApi(routes, version)
  return routes
}
