import type { Execution } from '@beadloom/core/execution/execution.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import { storedOf, warn, type LiveExecution } from '../execution/live-execution.ts'
import { Link } from '../link/link.ts'
import type { ContainerRow } from '../ports/store/containers.ts'
import { endSessions } from './end-sessions.ts'
import { closeSandbox, linkFolderOf, type Sandbox } from './open-sandbox.ts'
import { saveWork } from './save-work.ts'

/*
 * An agent's container whose work could not be saved (a full disk, Docker that went away, a hub that cannot be written)
 * outlives its execution. It is tried again, less and less often, and removed when the work is saved or a person gives
 * it up: never because of its age.
 */

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000

/** Keeps the container, stopped. Never rejects. */
export async function keepContainer(live: LiveExecution, { id, name, link }: Sandbox, why: string): Promise<void> {
  const { engine, store, log, clock } = live.deps
  link.letGo()
  if (!live.stopper.abandoned.aborted) await engine.stop(id, 0).catch(() => {}) // the sweep tries again
  const text = `Unsaved work of the agent is in the container ${name}, which is kept: ${why}`
  try {
    store.keepContainer(name, why)
    store.noteSaveTry(name, { why, bytes: await engine.sizeOf(id), nextTryAt: clock.now() + FIRST_PAUSE_MS })
    warn(live, text)
  } catch (error) {
    log.error({ error, execution: live.id }, text) // it is still written down as held, which keeps it as well
  }
}

/** Is it time to try again? */
export const isDue = ({ nextTryAt }: ContainerRow, now: number): boolean => nextTryAt === null || nextTryAt <= now

/** How a try ended: `saved` on this ref (null: the hub had everything), or why it is still kept. */
export type Tried = { saved: string | null } | { kept: string }

/**
 * Tries once more to save what a kept container holds, and removes it when that is done. Never rejects.
 *
 * @param liveOf what an execution that has ended needs to be worked with once more
 */
export async function saveAgain(
  deps: ExecutionDeps,
  row: ContainerRow,
  engineId: string,
  liveOf: (execution: Execution) => LiveExecution,
): Promise<Tried> {
  const { store, engine, clock, log } = deps
  try {
    const live = liveOf(storedOf({ deps, id: row.execution }))
    endSessions(store, row.execution, 'its server stopped before it ended')
    const link = await Link.open(linkFolderOf(deps.linkFolder, row.name), clock)
    const sandbox = { id: engineId, name: row.name, link }
    const left = await saveWork(live, sandbox)
    if ('ref' in left) {
      await closeSandbox(live, sandbox)
      return { saved: left.ref }
    }
    link.letGo()
    return stillKept(left.kept, await engine.sizeOf(engineId))
  } catch (error) {
    log.warn({ error, execution: row.execution }, 'what an agent left still cannot be saved')
    return stillKept(messageOf(error), null)
  }

  function stillKept(why: string, bytes: number | null): Tried {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** row.tries, LONGEST_PAUSE_MS)
    try {
      store.noteSaveTry(row.name, { why, bytes, nextTryAt: clock.now() + pause })
    } catch (error) {
      log.error({ error, container: row.name }, 'a try to save could not be noted')
    }
    return { kept: why }
  }
}
