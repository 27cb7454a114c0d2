import type { StopPending } from '@beadloom/core/records/execution.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { Sandbox } from '../ports/sandbox.ts'

/** SIGTERM, this long, SIGKILL: enough to write the last event lines, too little to keep working. */
const STOP_GRACE_MS = 10_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** Docker restarts in a few seconds; people should know if it takes longer. */
const SAY_AFTER_MS = 60_000

type Stoppable = Pick<Sandbox, 'id' | 'stop' | 'state'>

/**
 * Stops a sandbox, and tries again until the engine says that it has stopped, however long the engine is away. After a
 * minute the execution tells the reason. Ends early when the server goes down (the intent is stored, and the next
 * server stops it) or when a person gives the sandbox up. Never rejects.
 */
export async function stopSandbox(live: LiveExecution, sandbox: Stoppable): Promise<void> {
  const { clock, log } = live.deps
  const { letGo, abandoned } = live.stopper
  const enough = AbortSignal.any([letGo, abandoned])
  const since = clock.now()
  const from = clock.monotonic()
  let said = false
  for (let tries = 1; !enough.aborted; tries++) {
    const why = await stopOnce(sandbox)
    if (why === null) break
    log.warn({ container: sandbox.id, tries, why }, 'a container could not be stopped; trying again')
    if (clock.monotonic() - from >= SAY_AFTER_MS) {
      await note(live, { since, tries, why })
      said = true
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS)
    await live.stopper.pauseBeforeStopAgain(clock, pause, enough)
  }
  if (said && !letGo.aborted) await note(live, null)
}

async function note({ id, deps: { store, log } }: LiveExecution, pending: StopPending | null): Promise<void> {
  try {
    await store.noteStopPending(id, pending)
  } catch (error) {
    log.error({ error, execution: id }, 'what keeps a container from stopping could not be stored')
  }
}

/** Null: it has stopped. Otherwise the reason why not. */
async function stopOnce(sandbox: Stoppable): Promise<string | null> {
  try {
    await sandbox.stop(STOP_GRACE_MS)
    const { state } = await sandbox.state()
    return state === 'running' ? 'The container still runs, though the engine said that it had stopped it.' : null
  } catch (error) {
    return messageOf(error)
  }
}
