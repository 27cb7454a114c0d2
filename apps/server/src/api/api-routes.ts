import { openApi } from '../http/routing/openapi.ts'
import { route, type Route } from '../http/routing/route.ts'
import { activityRoutes } from './activity/activity-routes.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { addingRoutes } from './projects/adding-routes.ts'
import { beadRoutes } from './beads/bead-routes.ts'
import { budgetRoutes } from './budgets/budget-routes.ts'
import { changeRoutes } from './changes/change-routes.ts'
import { containerRoutes } from './containers/container-routes.ts'
import { egressRoutes } from './egress/egress-routes.ts'
import { environmentRoutes } from './environment/environment-routes.ts'
import { commandRoutes } from './executions/command-routes.ts'
import { executionRoutes } from './executions/execution-routes.ts'
import { inboxRoutes } from './inbox/inbox-routes.ts'
import { logRoutes } from './logs/log-routes.ts'
import { searchRoutes } from './logs/search-routes.ts'
import { peopleRoutes } from './people/people-routes.ts'
import { planRoutes } from './plans/plan-routes.ts'
import { projectRoutes } from './projects/project-routes.ts'
import { pullRequestRoutes } from './pull-requests/pull-request-routes.ts'
import { reviewRoutes } from './reviews/review-routes.ts'
import { savedViewRoutes } from './saved-views/saved-view-routes.ts'
import { secretRoutes } from './secrets/secret-routes.ts'
import { serverRoutes } from './server/server-routes.ts'
import { settingsRoutes } from './settings/settings-routes.ts'
import { signInRoutes } from './sign-ins/sign-in-routes.ts'
import { steeringRoutes } from './steering/steering-routes.ts'
import { syncRoutes } from './projects/sync-routes.ts'
import { webhookRoutes } from './webhooks/webhook-routes.ts'

/** The list of all subjects; a new one is served and described once it is in here. */
const subjects = [
  serverRoutes,
  peopleRoutes,
  auditRoutes,
  signInRoutes,
  webhookRoutes,
  projectRoutes,
  addingRoutes,
  syncRoutes,
  environmentRoutes,
  egressRoutes,
  beadRoutes,
  planRoutes,
  executionRoutes,
  activityRoutes,
  commandRoutes,
  steeringRoutes,
  changeRoutes,
  budgetRoutes,
  containerRoutes,
  reviewRoutes,
  pullRequestRoutes,
  savedViewRoutes,
  inboxRoutes,
  secretRoutes,
  settingsRoutes,
  logRoutes,
  searchRoutes,
]

/** Every subject's needs together. */
export type ApiDeps = typeof subjects extends readonly ((deps: infer Deps) => Route[])[] ? Deps : never

export function apiRoutes(deps: ApiDeps, version: string): Route[] {
  let described: object | null = null
  const routes: Route[] = [
    ...subjects.flatMap((subject) => subject(deps)),
    route({
      method: 'get',
      path: '/api/openapi.json',
      summary: 'This document',
      answer: { status: 200, description: 'OpenAPI 3.1' },
      handle: () => (described ??= openApi(routes, version)),
    }),
  ]
  return routes
}
