import type { GatewayCaller } from '../ports/gateway.ts'
import type { Call, CallDeps } from './call.ts'
import { keepWaiting } from './upstream/keep-alive.ts'
import { budgetExhausted, reasonOf, tooManyHeld, type Problem } from './problem.ts'

export type Holdable = Pick<Call, 'who' | 'dialect' | 'response' | 'streaming' | 'time' | 'signal'>

/** Counting tokens costs none, so such a call is neither refused nor held. */
const isFree = ({ dialect }: Pick<Call, 'dialect'>): boolean => dialect === 'count'

/** Whether a person holds it. */
export const isHeld = (call: Pick<Call, 'dialect' | 'who'>): boolean => !isFree(call) && call.who.isHeld()

/** Whether it may be made at this moment. */
export const mayCall = (call: Pick<Call, 'dialect' | 'who'>): boolean =>
  isFree(call) || (call.who.usedUp() === null && !call.who.isHeld())

/** The number of held calls, by session. */
const held = new WeakMap<GatewayCaller, number>()

/**
 * Asks right before a call is made whether it may be: at a limit it is refused, or held until a person lets it continue.
 * A held call's client is kept alive as for a busy model, and the wait does not count as the call's own time. Resolves
 * with the reason why the call is over, or null.
 */
export async function untilMayCall(call: Holdable, deps: Pick<CallDeps, 'clock' | 'bounds'>): Promise<Problem | null> {
  const { who, time, signal } = call
  if (isFree(call)) return null
  await who.turn?.settled()
  const limit = who.usedUp()
  if (limit !== null) {
    who.tell({ type: 'over_limit', limit })
    return budgetExhausted(limit)
  }
  if (!who.isHeld()) return null
  const already = held.get(who) ?? 0
  if (already >= deps.bounds.waitingCalls) return tooManyHeld(already)
  held.set(who, already + 1)
  const done = new AbortController()
  const alive = keepAlive(call, deps, AbortSignal.any([signal, done.signal]))
  try {
    const refused = await time.whilePaused(() => who.whileHeld(signal))
    if (signal.aborted) return reasonOf(signal)
    if (refused === null) return null
    who.tell({ type: 'over_limit', limit: refused })
    return budgetExhausted(refused)
  } finally {
    held.set(who, (held.get(who) ?? 1) - 1)
    done.abort()
    await alive
  }
}

async function keepAlive(call: Holdable, { clock, bounds }: Pick<CallDeps, 'clock' | 'bounds'>, over: AbortSignal) {
  while (!over.aborted) {
    keepWaiting(call, 'waiting for a person')
    await clock.sleep(bounds.keepAliveMs, over)
  }
}
