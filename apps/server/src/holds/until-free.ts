import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import type { LentSlot } from '../execution/lent-slots.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { Hold, InForce } from './hold.ts'

/** A wall clock that jumps, and the end of a day, are noticed within this time. */
const LOOK_AGAIN_MS = 60_000

/**
 * Waits until no hold is in force and a slot is free, without time of the execution's. Resolves with null then, or when
 * `signal` aborts; with a limit if nobody has answered there.
 *
 * @param holder lends its slot meanwhile
 */
export async function untilFree(
  live: LiveExecution,
  holder: SessionId | ExecutionId,
  holds: readonly Hold[],
  signal: AbortSignal,
): Promise<UsedUp | null> {
  const slot = live.deps.lentSlots.of(holder, live.project.id)
  try {
    return await live.watchdog.whileFrozen(() => wait(live, holds, slot, signal))
  } finally {
    slot.over()
  }
}

async function wait(
  { deps: { clock, holdNews } }: LiveExecution,
  holds: readonly Hold[],
  slot: LentSlot,
  signal: AbortSignal,
): Promise<UsedUp | null> {
  for (;;) {
    const news = holdNews.next
    if (signal.aborted) return null
    const first = firstInForce(holds)
    if (first) {
      slot.lend()
      const left = first.until - clock.now()
      const refused = left > 0 ? null : first.unanswered()
      if (refused) return refused
      const ms = left > 0 ? Math.min(left, LOOK_AGAIN_MS) : LOOK_AGAIN_MS
      await clock.sleep(ms, AbortSignal.any([signal, news]))
    } else if (slot.isLent && !holds.some((hold) => hold.endsNow?.())) {
      // While it waits for a slot, others may use up the granted amount.
      await slot.back(signal, () => holds.forEach((hold) => hold.waitsForSlot()))
    } else {
      for (const hold of holds) await hold.over()
      return null
    }
  }
}

/** The others are asked once it is over. */
function firstInForce(holds: readonly Hold[]): InForce | null {
  for (const hold of holds) {
    const inForce = hold.inForce()
    if (inForce) return inForce
  }
  return null
}
