/** What people do, each with the words that follow their name. */
export const actionWords = {
  bead_filed: 'filed the bead',
  bead_changed: 'changed the bead',
  queued: 'queued it',
  answered: 'answered',
  cancelled: 'cancelled it',
  abandoned: 'gave its slot back',
  retried: 'started the retry early',
  tests_allowed: 'allowed weaker tests',
  granted: 'raised its limits',
  plan_changed: 'changed the plan',
  plan_approved: 'approved the plan',
  paused: 'paused it after the phase',
  continued: 'let it continue',
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
  base_proved: 'had the base proved',
  base_stopped: 'stopped the proof of the base',
  base_mended: 'filed a bead that mends the base',
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
} as const

export type ActionName = keyof typeof actionWords

/** A name that this version does not know is shown as it is. */
export const actionText = (action: string): string =>
  (actionWords as Readonly<Record<string, string>>)[action] ?? action.replaceAll('_', ' ')
