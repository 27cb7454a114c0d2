import type { GatewayCaller } from '../../ports/gateway.ts'
import type { Call, CallDeps } from '../call.ts'
import { keepWaiting } from './keep-alive.ts'
import { followChosenModel } from './chosen-model.ts'
import { Cooldowns } from './cooldown.ts'
import { isHeld } from '../held-call.ts'
import { reasonOf, tooManyWaiting, type Problem } from '../problem.ts'

/** The number of waiting calls, by session. */
const waiting = new WeakMap<GatewayCaller, number>()

/**
 * Waits while the call's model is cooling down. Its client is kept waiting with signs of life, and the wait does not
 * count against the call's own time; only the caller or the execution's deadline ends it early, or a person who holds the
 * call or chooses another model. Resolves with the reason why the call is over, or null.
 */
export async function waitOutCooldown(call: Call, deps: CallDeps): Promise<Problem | null> {
  if (!deps.cooldowns.of(Cooldowns.key(call.model, call.endpoint))) return null
  const already = waiting.get(call.who) ?? 0
  if (already >= deps.bounds.waitingCalls) return tooManyWaiting(already)
  waiting.set(call.who, already + 1)
  try {
    await call.time.whilePaused(() => call.who.whileWaiting(() => waitForModel(call, deps)))
  } finally {
    waiting.set(call.who, (waiting.get(call.who) ?? 1) - 1)
  }
  return call.signal.aborted ? reasonOf(call.signal) : null
}

async function waitForModel(call: Call, { clock, bounds, cooldowns, random }: CallDeps): Promise<void> {
  const { who, signal } = call
  // Read anew each time: another call may have been told to wait longer, and the wall clock may jump.
  const key = () => Cooldowns.key(call.model, call.endpoint)
  for (let cooldown; !signal.aborted && !isHeld(call) && (cooldown = cooldowns.of(key()));) {
    cooldowns.tell(who, cooldown)
    keepWaiting(call, 'the model is cooling down')
    await clock.sleep(Math.min(cooldowns.leftMs(key()), bounds.keepAliveMs), signal)
    followChosenModel(call)
  }
  await clock.sleep(Math.round(random() * bounds.spreadMs), signal)
}
