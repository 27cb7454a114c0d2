import type { LiveExecution } from '../../execution/live-execution.ts'
import type { Taken } from '../../execution/warm-sandboxes.ts'
import type { EnvironmentId } from '../../ports/sandbox.ts'
import { packageFor } from '../agent-order.ts'
import { closeSandbox, hold, type SandboxPlan } from '../open-sandbox.ts'
import { environmentFrom, madeOf } from './made-of.ts'

type Wanted = Pick<SandboxPlan, 'environment' | 'network' | 'keepsWork'>

/**
 * Takes a waiting sandbox, started and held by this execution; null: none fits, or it has died meanwhile. It has a
 * checkout already, so its first session fetches only the difference.
 */
export async function takeWarm(
  live: LiveExecution,
  wanted: Wanted,
): Promise<Pick<Taken, 'sandbox' | 'checkedOut'> | null> {
  const { id, deps, project, settings } = live
  if (wanted.network !== 'none' || !wanted.keepsWork) return null
  const taken = await deps.warm.take(id, project.id, madeOf(wanted.environment, settings))
  if (!taken) return null
  try {
    await taken.sandbox.warm()
    hold(live, taken)
    return taken
  } catch (error) {
    deps.log.info({ error, execution: id }, 'a container that waited could not be used')
    await closeSandbox(live, taken.sandbox)
    return null
  }
}

/** Remembers the environment: the next agent of this project will probably use the same. */
export const learnFrom = (live: LiveExecution, environment: EnvironmentId): void =>
  live.deps.warm.learn(live.project.id, environmentFrom(live.settings, packageFor(live)), environment)
