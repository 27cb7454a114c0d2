import type { Clock } from '../process/clock.ts'
import type { ConnectionBounds } from '../process/descriptors.ts'
import type { Logger } from '../process/logger.ts'
import type { Environment, ServerSettings } from '../process/settings/settings.ts'
import type { Teardown } from '../process/teardown.ts'

export const VERSION = '0.1.0'

/** What every part of the server may need from outside. */
export type Place = {
  settings: ServerSettings
  env: Environment
  log: Logger
  clock: Clock
  /** In [0, 1). */
  random: () => number
  teardown: Teardown
  /** As many as the files that this process may open allow. */
  connections: ConnectionBounds
  /** Aborts when the server goes down. */
  stopping: AbortSignal
}
