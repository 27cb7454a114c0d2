import { DEFAULT_ANSWER_MS } from '@beadloom/core/budget/budget-settings.ts'
import { unansweredOf, waitDetail, type BudgetWait } from '@beadloom/core/budget/wait.ts'
import type { BudgetState } from '@beadloom/core/budget/budget-states.ts'
import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import type { LentSlot } from '../execution/lent-slots.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import type { Spender } from '@beadloom/core/budget/scopes.ts'

/** A wall clock that jumps, and the end of a day, are noticed within this time. */
const LOOK_AGAIN_MS = 60_000

type Asking = Spender & { session: SessionId }

/**
 * Holds a call at a limit until a person has granted more, or the limit's day is over, and then until a slot is free:
 * meanwhile others have the slot of its session. The wait is stored, so a restarted server asks for the same, and not
 * for longer. It does not count as the execution's time.
 * Resolves with null when the call may be made, or when its caller has gone; otherwise with the reason why it may not.
 */
export async function waitForGrant(live: LiveExecution, of: Asking, signal: AbortSignal): Promise<UsedUp | null> {
  const slot = live.deps.lentSlots.of(of.session, live.project.id)
  try {
    return await live.watchdog.whileFrozen(() => untilGranted(live, of, slot, signal))
  } finally {
    slot.over()
  }
}

async function untilGranted(
  live: LiveExecution,
  of: Asking,
  slot: LentSlot,
  signal: AbortSignal,
): Promise<UsedUp | null> {
  const { clock, budget, store } = live.deps
  for (;;) {
    const { news } = budget
    const reached = budget.reached(of, live.settings)
    if (signal.aborted) return null
    if (reached !== null) {
      const wait = noteWait(live, of.session, reached)
      slot.lend()
      const left = wait.until - clock.now()
      if (left <= 0) return unansweredOf(wait)
      await clock.sleep(Math.min(left, LOOK_AGAIN_MS), AbortSignal.any([signal, news]))
    } else if (slot.isLent) {
      // While it waits for a slot, others may use up the granted amount.
      await slot.back(signal, () => noteGranted(live))
    } else {
      if (budgetWait(live)) void store.noteBudgetWait(live.id, null)
      return null
    }
  }
}

const budgetWait = (live: LiveExecution) => waitOfKind(storedOf(live).waits, 'budget')

/** Stores a wait. A stored wait continues: neither a restart nor a second call begins it again. */
function noteWait(live: LiveExecution, session: SessionId, reached: BudgetState): BudgetWait {
  const { store, clock, budget, recorder } = live.deps
  const known = budgetWait(live)
  const { scope, unit, limit, used } = reached
  if (known && !known.granted && known.scope === scope && known.unit === unit && known.limit === limit) return known
  const since = clock.now()
  const until = since + (live.settings.limits.answerTimeoutMs ?? DEFAULT_ANSWER_MS)
  const wait = { scope, unit, limit, used, since, until, currency: budget.currency }
  void store.noteBudgetWait(live.id, wait)
  recorder.note(session, waitDetail(wait, since))
  return wait
}

function noteGranted(live: LiveExecution): void {
  const wait = budgetWait(live)
  if (wait === null) return
  const { kind: _, ...stored } = wait
  void live.deps.store.noteBudgetWait(live.id, { ...stored, granted: true })
}

/** Ends the wait of a session that has ended. */
export function sessionOver(live: LiveExecution, session: SessionId): void {
  if (waitOf(live, session)) void live.deps.store.noteBudgetWait(live.id, null, 'over')
}

/** The wait of an execution, if it can only be this session's. */
export function waitOf(live: LiveExecution, session: SessionId): BudgetWait | null {
  const wait = budgetWait(live)
  if (!wait) return null
  const isAlone = live.deps.store
    .sessions(live.id)
    .every(({ id, kind, state }) => id === session || kind === 'service' || state === 'ended')
  return isAlone ? wait : null
}
