import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { Spender } from '@beadloom/core/budget/scopes.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { limitReached } from '../budget/spender.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { limitHold } from './limit-hold.ts'
import { pauseHold } from './pause-hold.ts'
import { untilFree } from './until-free.ts'

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
  const { session } = of
  const isAsking = live.settings.onLimit === 'ask'
  const holds = [pauseHold(live, session), ...(isAsking ? [limitHold(live, of)] : [])]
  const refused = await untilFree(live, session, holds, signal)
  // Others may have spent the rest while it was paused.
  return refused ?? (isAsking || signal.aborted ? null : limitReached(live, session))
}
