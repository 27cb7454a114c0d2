/** People's actions, each with the words that follow a name. */
export const actionWords = {
  bead_filed: 'filed the bead',
  bead_changed: 'changed the bead',
  queued: 'queued it',
  answered: 'answered',
  cancelled: 'cancelled it',
  abandoned: 'gave its slot back',
  told: 'said something to its agent',
  retried: 'started the retry early',
  tests_allowed: 'allowed what was refused',
  granted: 'raised its limits',
  plan_changed: 'changed the plan',
  plan_approved: 'approved the plan',
  paused: 'paused it',
  course_changed: 'changed its model or time limit',
  turn_stopped: 'stopped what its agent did',
  continued: 'resumed it',
  review_asked: 'asked for a review',
  issue_dismissed: 'dismissed an issue',
  issue_reopened: 'reopened an issue',
  pull_request_asked: 'asked for a pull request',
  pull_request_cancelled: 'cancelled the pull request',
  project_added: 'added the project',
  project_changed: 'changed autopilot',
  project_removed: 'removed the project',
  project_paused: 'paused the project',
  project_resumed: 'resumed the project',
  adding_cancelled: 'cancelled the adding of the project',
  synced: 'synced the project',
  image_pushed: 'had the image pushed',
  push_stopped: 'stopped a push of the image',
  base_proved: 'had the base proved',
  base_stopped: 'stopped the proof of the base',
  base_mended: 'created a bead that fixes the base',
  project_settings: 'changed the settings of the project',
  server_settings: 'changed the settings of the server',
  secret_set: 'set a secret',
  secret_removed: 'removed a secret',
  view_saved: 'saved a view of the board',
  view_changed: 'changed a view of the board',
  view_deleted: 'deleted a view of the board',
  container_saved: 'saved a kept container',
  container_discarded: 'discarded a kept container',
  webhooks_tested: 'tested the webhooks',
  webhook_saved: 'added or changed a webhook',
  webhook_removed: 'removed a webhook',
  browser_signed_out: 'signed a browser out',
  signed_in: 'signed in',
  signed_out: 'signed out',
  audit_cut: 'removed exported entries of the audit log',
  notices_dismissed: 'dismissed notices of the inbox',
} as const

export type ActionName = keyof typeof actionWords

/** Actions that start an execution. Whoever does something to it later, such as telling its agent, has not asked for it. */
export const startingActions: readonly ActionName[] = [
  'queued',
  'answered',
  'plan_approved',
  'tests_allowed',
  'review_asked',
]

/** An unknown name is shown as it is: a newer version may have written it. */
export const actionText = (action: string): string =>
  (actionWords as Readonly<Record<string, string>>)[action] ?? action.replaceAll('_', ' ')
