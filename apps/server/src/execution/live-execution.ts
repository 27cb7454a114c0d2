import type { Bead } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { HubProject } from '../ports/hub.ts'
import type { ExecutionDeps } from './deps.ts'
import type { EarlyWait } from './early-wait.ts'
import type { Stopper } from './stop.ts'
import type { Turns } from './turns.ts'
import type { Watchdog } from './watchdog.ts'

/**
 * An execution that this server drives, with the needs of all its parts. Stored facts are asked of the store each time,
 * so that no part works with a copy that another part has made stale.
 */
export type LiveExecution = {
  readonly id: ExecutionId
  readonly deps: ExecutionDeps
  /** The bead when the execution started or was recovered. */
  readonly bead: Bead
  readonly project: HubProject
  /** The settings that it runs with: the project's, with the choices of its kind and of the person who queued it. */
  readonly settings: ProjectSettings
  readonly stopper: Stopper
  readonly watchdog: Watchdog
  /** Its wait for a retry. */
  readonly retryWait: EarlyWait
  /** Its agents at work, whose current step can be stopped. */
  readonly turns: Turns
}

/** The execution as it is stored now. */
export function storedOf({ deps: { store }, id }: Pick<LiveExecution, 'deps' | 'id'>): Execution {
  const stored = store.execution(id)
  if (!stored) throw new Error(`the execution ${id} is gone from the store`)
  return stored
}

/** Its time limit in all, milliseconds: the settings', or a person's newer one. */
export const timeLimitOf = (live: LiveExecution): number =>
  storedOf(live).course?.executionTimeoutMs ?? live.settings.limits.executionTimeoutMs

/** The model of its agents' calls: the settings', or a person's newer one. */
export const modelOf = (live: LiveExecution): string | null => storedOf(live).course?.model ?? live.settings.model

/** Adds a warning to the execution's events. */
export async function warn({ deps: { store }, id }: LiveExecution, text: string): Promise<void> {
  await store.addEvent(id, null, 'warning', { text })
}
