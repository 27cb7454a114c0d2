import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { Spender } from '@beadloom/core/budget/scopes.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { LentSlot } from '../execution/lent-slots.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { Hold, InForce } from './hold.ts'
import { limitHold } from './limit-hold.ts'

/** A wall clock that jumps, and the end of a day, are noticed within this time. */
const LOOK_AGAIN_MS = 60_000

/**
 * Holds a call for as long as one of its holds is in force, and then until a slot is free: meanwhile others have the slot
 * of its session. Holds are stored, so a restarted server keeps the call for the rest of the time. The wait does not
 * count as the execution's time.
 * Resolves with null when the call may be made, or when its caller has gone; otherwise with the limit for which it may
 * not.
 */
export async function holdCall(
  live: LiveExecution,
  of: Spender & { session: SessionId },
  signal: AbortSignal,
): Promise<UsedUp | null> {
  const slot = live.deps.lentSlots.of(of.session, live.project.id)
  try {
    return await live.watchdog.whileFrozen(() => untilFree(live, [limitHold(live, of)], slot, signal))
  } finally {
    slot.over()
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

async function untilFree(
  { deps }: LiveExecution,
  holds: readonly Hold[],
  slot: LentSlot,
  signal: AbortSignal,
): Promise<UsedUp | null> {
  const { clock, budget } = deps
  for (;;) {
    const { news } = budget
    const first = firstInForce(holds)
    if (signal.aborted) return null
    if (first) {
      slot.lend()
      const left = first.until - clock.now()
      if (left <= 0) return first.unanswered()
      await clock.sleep(Math.min(left, LOOK_AGAIN_MS), AbortSignal.any([signal, news]))
    } else if (slot.isLent) {
      // While it waits for a slot, others may use up the granted amount.
      await slot.back(signal, () => holds.forEach((hold) => hold.waitsForSlot()))
    } else {
      for (const hold of holds) hold.over()
      return null
    }
  }
}
