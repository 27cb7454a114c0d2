import type { GatewayCaller } from '../../ports/gateway.ts'
import type { Call, CallDeps } from '../call.ts'
import { keepWaiting } from './keep-alive.ts'
import { Parking } from './cooldown.ts'
import { reasonOf, tooManyWaiting, type Problem } from '../problem.ts'

/** Calls that wait, by session. */
const waiting = new WeakMap<GatewayCaller, number>()

/**
 * Holds a call while its model is parked. The session lives, its client is kept, and the call's own time stands still;
 * what ends the waiting early is the caller or the execution's deadline. Resolves to why the call is over, or null.
 */
export async function waitWhileParked(call: Call, deps: CallDeps): Promise<Problem | null> {
  if (!deps.parking.of(Parking.key(call.model, call.endpoint))) return null
  const already = waiting.get(call.who) ?? 0
  if (already >= deps.limits.waitingCalls) return tooManyWaiting(already)
  waiting.set(call.who, already + 1)
  try {
    await call.time.whilePaused(() => call.who.whileWaiting(() => waitForModel(call, deps)))
  } finally {
    waiting.set(call.who, (waiting.get(call.who) ?? 1) - 1)
  }
  return call.signal.aborted ? reasonOf(call.signal) : null
}

async function waitForModel(call: Call, { clock, limits, parking, random }: CallDeps): Promise<void> {
  const { who, model, endpoint, signal } = call
  // Looked at anew each time: another call may have been told to wait longer, and the wall clock may jump.
  for (let parked; !signal.aborted && (parked = parking.of(Parking.key(model, endpoint)));) {
    parking.tell(who, parked)
    keepWaiting(call)
    await clock.sleep(Math.min(parked.until - clock.now(), limits.keepAliveMs), signal)
  }
  await clock.sleep(Math.round(random() * limits.spreadMs), signal)
}
