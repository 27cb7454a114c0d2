import type { ActionName } from './action-words.ts'
import type { Role } from './roles.ts'

/** `action`: the entry of the audit log. Every route that changes something has one. */
type Rule = { role: Role; action?: ActionName }

const may = (role: Role, action: ActionName): Rule => ({ role, action })
const reads: Rule = { role: 'viewer' }
const runner = (action: ActionName): Rule => may('runner', action)
const admin = (action: ActionName): Rule => may('admin', action)

/**
 * The role that each route and the stream need. HTTP and WebSocket refuse by it. A route that is missing here is served
 * to nobody, so nobody forgets to decide about a new one.
 */
export const routeRules: Readonly<Record<string, Rule>> = {
  'get /ws': reads,
  'get /metrics': reads,
  'get /api/openapi.json': reads,
  'get /api/me': reads,
  'get /api/actions': reads,
  'get /api/sign-ins': reads,
  // Its handler lets people who are no admin end only their own sign-ins.
  'delete /api/sign-ins/:signIn': runner('browser_signed_out'),
  'get /api/audit': { role: 'admin' },
  'get /api/audit/head': { role: 'admin' },
  'get /api/audit/export': { role: 'admin' },
  'post /api/audit/cut': admin('audit_cut'),
  'get /api/ticket': reads,
  'get /api/status': reads,
  'get /api/system': reads,
  'get /api/agents': reads,
  'get /api/settings': reads,
  'patch /api/settings': admin('server_settings'),
  'get /api/webhooks': reads,
  'put /api/webhooks/:webhook': admin('webhook_saved'),
  'delete /api/webhooks/:webhook': admin('webhook_removed'),
  'post /api/webhooks/test': admin('webhooks_tested'),
  'post /api/webhooks/:webhook/test': admin('webhooks_tested'),

  'get /api/projects': reads,
  'post /api/projects': admin('project_added'),
  'get /api/adding': reads,
  'delete /api/adding/:project': admin('adding_cancelled'),
  'get /api/projects/:project': reads,
  'patch /api/projects/:project': admin('project_changed'),
  'delete /api/projects/:project': admin('project_removed'),
  'get /api/projects/:project/egress': reads,
  'get /api/projects/:project/environment': reads,
  'get /api/projects/:project/environment/log': reads,
  'get /api/projects/:project/environment/push': reads,
  'post /api/projects/:project/environment/push': admin('image_pushed'),
  'delete /api/projects/:project/environment/push': admin('push_stopped'),
  'post /api/projects/:project/environment/prove': runner('base_proved'),
  'post /api/projects/:project/environment/stop': runner('base_stopped'),
  'post /api/projects/:project/environment/mend': runner('base_mended'),
  'get /api/projects/:project/activity': reads,
  'get /api/projects/:project/failures': reads,
  'get /api/projects/:project/budget': reads,
  'get /api/projects/:project/sync': reads,
  'post /api/projects/:project/sync': runner('synced'),
  'post /api/projects/:project/pause': runner('project_paused'),
  'post /api/projects/:project/resume': runner('project_resumed'),
  'get /api/projects/:project/settings': reads,
  'patch /api/projects/:project/settings': admin('project_settings'),
  'get /api/projects/:project/agents': reads,
  'get /api/projects/:project/views': reads,
  'post /api/projects/:project/views': runner('view_saved'),
  'patch /api/projects/:project/views/:view': runner('view_changed'),
  'delete /api/projects/:project/views/:view': runner('view_deleted'),
  'get /api/projects/:project/inbox': reads,
  'patch /api/projects/:project/inbox': runner('notices_dismissed'),
  'get /api/projects/:project/secrets': reads,
  'put /api/projects/:project/secrets/:secret': admin('secret_set'),
  'delete /api/projects/:project/secrets/:secret': admin('secret_removed'),

  'get /api/projects/:project/beads': reads,
  'post /api/projects/:project/beads': runner('bead_filed'),
  'get /api/projects/:project/dependencies': reads,
  'get /api/projects/:project/beads/:bead': reads,
  'patch /api/projects/:project/beads/:bead': runner('bead_changed'),
  'post /api/projects/:project/beads/:bead/executions': runner('queued'),
  'get /api/projects/:project/beads/:bead/plan': reads,
  'put /api/projects/:project/beads/:bead/plan': runner('plan_changed'),
  'post /api/projects/:project/beads/:bead/plan/approve': runner('plan_approved'),

  'get /api/executions': reads,
  'get /api/executions/:execution': reads,
  'get /api/executions/:execution/evidence.svg': reads,
  'post /api/executions/:execution/cancel': runner('cancelled'),
  'post /api/executions/:execution/abandon': runner('abandoned'),
  'post /api/executions/:execution/retry-now': runner('retried'),
  'post /api/executions/:execution/allow-tests': runner('tests_allowed'),
  'get /api/executions/:execution/egress': reads,
  'get /api/executions/:execution/events': reads,
  'get /api/executions/:execution/diff': reads,
  'get /api/executions/:execution/why': reads,
  'get /api/executions/:execution/commits': reads,
  'get /api/executions/:execution/messages': reads,
  'post /api/executions/:execution/messages': runner('told'),
  'patch /api/executions/:execution': runner('course_changed'),
  'post /api/executions/:execution/pause': runner('paused'),
  'post /api/executions/:execution/stop-turn': runner('turn_stopped'),
  'post /api/executions/:execution/resume': runner('continued'),
  'get /api/executions/:execution/phases': reads,
  'get /api/budgets': reads,
  'get /api/executions/:execution/grants': reads,
  'post /api/executions/:execution/grants': admin('granted'),

  'get /api/containers': reads,
  'post /api/containers/:container/save': runner('container_saved'),
  'delete /api/containers/:container': admin('container_discarded'),

  'post /api/projects/:project/reviews': runner('review_asked'),
  'get /api/projects/:project/reviews': reads,
  'get /api/reviews/:execution': reads,
  'post /api/reviews/:execution/issues/:issue/dismiss': runner('issue_dismissed'),
  'post /api/reviews/:execution/issues/:issue/reopen': runner('issue_reopened'),
  'post /api/projects/:project/pull-requests': runner('pull_request_asked'),
  'get /api/projects/:project/pull-requests': reads,
  'get /api/pull-requests/:pullRequest': reads,
  'post /api/pull-requests/:pullRequest/cancel': runner('pull_request_cancelled'),

  'get /api/sessions/:session/log/meta': reads,
  'get /api/sessions/:session/log/blocks/:block': reads,
  'get /api/sessions/:session/log/raw': reads,
  'get /api/sessions/:session/log/agent': reads,
  'get /api/sessions/:session/log/calls': reads,
  'get /api/sessions/:session/log/marks': reads,
  'get /api/executions/:execution/log/search': reads,
  'get /api/sessions/:session/log/search': reads,
}

export const ruleOf = (method: string, path: string): Rule | null => routeRules[`${method} ${path}`] ?? null
