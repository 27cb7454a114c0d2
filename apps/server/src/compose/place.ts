import type { Clock } from '../process/clock.ts'
import type { ConnectionBounds } from '../process/descriptors.ts'
import type { Logger } from '../process/logger.ts'
import type { Environment, ServerSettings } from '../process/settings/settings.ts'
import type { Teardown } from '../process/teardown.ts'

export const VERSION = '0.1.0'

/** Everything that a part of the server may need from outside. */
export type Place = {
  settings: ServerSettings
  env: Environment
  log: Logger
  clock: Clock
  /** In [0, 1). */
  random: () => number
  teardown: Teardown
  /** The bounds on connections, from the number of files that this process may open. */
  connections: ConnectionBounds
  /** Aborts when the server goes down. */
  stopping: AbortSignal
}

/** The address at which people reach the server; null until it listens. */
export type Address = { url: string | null }
