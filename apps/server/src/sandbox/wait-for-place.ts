import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { EngineError, type Opened } from '../ports/engine.ts'
import type { Clock } from '../process/clock.ts'

/** The pause between checks of a quota. */
const LOOK_MS = 5_000

/** `onWait` as in `SessionCall`. */
export type Patience = { clock: Clock; signal: AbortSignal; onWait: (why: string | null) => void }

/**
 * Opens a sandbox when the engine's quota has room for it. Rejects with the quota's words when `signal` aborts first.
 */
export async function whenRoom(patience: Patience | null, open: () => Promise<Opened>): Promise<Opened> {
  let told = ''
  try {
    for (;;) {
      try {
        return await open()
      } catch (error) {
        if (patience === null || patience.signal.aborted) throw error
        if (!(error instanceof EngineError && error.kind === 'no-room')) throw error
        if (error.message !== told) patience.onWait((told = error.message))
        await patience.clock.sleep(LOOK_MS, patience.signal)
      }
    }
  } finally {
    if (told !== '') patience?.onWait(null)
  }
}

/**
 * Tells people what an execution waits for. Its time stops meanwhile, unless it already holds a sandbox: several such
 * executions could wait for each other's sandboxes for ever. It keeps its slot.
 */
export function tellsWait(live: LiveExecution, session: SessionId | null, isFirst: boolean): Patience['onWait'] {
  let over: PromiseWithResolvers<void> | null = null
  return (why) => {
    void live.deps.store.addEvent(live.id, session, 'waits_for_place', { text: why ?? '' })
    if (why === null) {
      over?.resolve()
      over = null
    } else if (over === null && isFirst) {
      const waiting = Promise.withResolvers<void>()
      over = waiting
      void live.watchdog.whileFrozen(() => waiting.promise)
    }
  }
}
