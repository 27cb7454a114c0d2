import { addingRoutes } from '../routes/adding-routes.ts'
import { auditRoutes } from '../routes/audit-routes.ts'
import { baseRoutes } from '../routes/base-routes.ts'
import { beadRoutes } from '../routes/bead-routes.ts'
import { budgetRoutes } from '../routes/budget-routes.ts'
import { containerRoutes } from '../routes/container-routes.ts'
import { executionRoutes } from '../routes/execution-routes.ts'
import { logRoutes } from '../routes/log-routes.ts'
import { openApi } from './openapi.ts'
import { peopleRoutes } from '../routes/people-routes.ts'
import { signInRoutes } from '../routes/sign-in-routes.ts'
import type { Tickets } from '../access/tickets.ts'
import { planRoutes } from '../routes/plan-routes.ts'
import { projectRoutes } from '../routes/project-routes.ts'
import type {
  AddingApi,
  BaseApi,
  BudgetApi,
  Commands,
  ContainerApi,
  PlanApi,
  PullRequestApi,
  Queries,
  ReviewApi,
  SavedViewApi,
  InboxApi,
  SecretApi,
  SettingsApi,
  WebhookApi,
} from '../ports.ts'
import type { AuditApi, PeopleApi, SignInApi } from '../people-ports.ts'
import { pullRequestRoutes } from '../routes/pull-request-routes.ts'
import { reviewRoutes } from '../routes/review-routes.ts'
import { route, type Route } from './route.ts'
import { savedViewRoutes } from '../routes/saved-view-routes.ts'
import { inboxRoutes } from '../routes/inbox-routes.ts'
import { secretRoutes } from '../routes/secret-routes.ts'
import { serverRoutes } from '../routes/server-routes.ts'
import { settingsRoutes } from '../routes/settings-routes.ts'
import { webhookRoutes } from '../routes/webhook-routes.ts'
import type { LogReader } from '../../ports/logs.ts'
import type { Clock } from '../../process/clock.ts'

export type RouteDeps = {
  queries: Queries
  commands: Commands
  adding: AddingApi
  audit: AuditApi
  base: BaseApi
  budgets: BudgetApi
  containers: ContainerApi
  people: PeopleApi
  plans: PlanApi
  reviews: ReviewApi
  pullRequests: PullRequestApi
  savedViews: SavedViewApi
  inbox: InboxApi
  secrets: SecretApi
  settings: SettingsApi
  signIn: SignInApi
  tickets: Tickets
  webhooks: WebhookApi
  logs: LogReader
  clock: Clock
  version: string
  token: string
}

export function routeTable({
  queries,
  commands,
  adding,
  audit,
  base,
  budgets,
  containers,
  people,
  plans,
  reviews,
  pullRequests,
  savedViews,
  inbox,
  secrets,
  settings,
  signIn,
  tickets,
  webhooks,
  logs,
  clock,
  version,
  token,
}: RouteDeps): Route[] {
  const document = route({
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document',
    answer: { status: 200, description: 'OpenAPI 3.1' },
    handle: () => described,
  })
  const routes = [
    ...serverRoutes(queries, token),
    ...peopleRoutes(people),
    ...auditRoutes(audit),
    ...signInRoutes(signIn, tickets),
    ...webhookRoutes(webhooks),
    document,
    ...projectRoutes(queries, commands),
    ...addingRoutes(adding),
    ...baseRoutes(base),
    ...beadRoutes(queries, commands),
    ...planRoutes(plans),
    ...executionRoutes(queries, commands, clock),
    ...budgetRoutes(budgets),
    ...containerRoutes(containers),
    ...reviewRoutes(reviews),
    ...pullRequestRoutes(pullRequests),
    ...savedViewRoutes(savedViews),
    ...inboxRoutes(inbox),
    ...secretRoutes(secrets),
    ...settingsRoutes(settings),
    ...logRoutes({ logs, queries, clock }),
  ]
  const described = openApi(routes, version)
  return routes
}
