import { DEFAULT_ANSWER_MS } from '@beadloom/core/budget/limits.ts'
import { unansweredOf, waitDetail, type BudgetWait } from '@beadloom/core/budget/wait.ts'
import type { LimitState } from '@beadloom/core/budget/limit-states.ts'
import type { UsedUp } from '@beadloom/core/execution/token-budget.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import type { Spender } from '../ports/budget.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'

/** A wall clock that jumps, and a day that ends, are noticed within this time. */
const LOOK_AGAIN_MS = 60_000

/**
 * A call is held at a limit until a person has granted more, or the limit's day is over. What is waited for is stored, so that
 * a server that starts again asks for the same, and not for longer. The wait is none of the execution's time.
 *
 * Resolves to null when the call may be made, or when its caller has gone, else to why it never will be.
 */
export async function waitForGrant(live: LiveExecution, of: Spender, signal: AbortSignal): Promise<UsedUp | null> {
  return live.watchdog.whileFrozen(() => untilGranted(live, of, signal))
}

async function untilGranted(live: LiveExecution, of: Spender, signal: AbortSignal): Promise<UsedUp | null> {
  const { clock, budget } = live.deps
  for (;;) {
    const { news } = budget
    const reached = budget.reached(of, live.settings)
    if (reached === null) {
      if (storedOf(live).budgetWait) void live.deps.store.noteBudgetWait(live.id, null)
      return null
    }
    if (signal.aborted) return null
    const wait = noteWait(live, of.session, reached)
    const left = wait.until - clock.now()
    if (left <= 0) return unansweredOf(wait)
    await clock.sleep(Math.min(left, LOOK_AGAIN_MS), AbortSignal.any([signal, news]))
  }
}

/** What is stored of the wait counts, so that no restart and no second call begins it again. */
function noteWait(live: LiveExecution, session: SessionId | null, reached: LimitState): BudgetWait {
  const { store, clock, budget, recorder } = live.deps
  const known = storedOf(live).budgetWait
  const { scope, unit, limit, used } = reached
  if (known && known.scope === scope && known.unit === unit && known.limit === limit) return known
  const since = clock.now()
  const until = since + (live.settings.limits.answerTimeoutMs ?? DEFAULT_ANSWER_MS)
  const wait = { scope, unit, limit, used, since, until, currency: budget.currency }
  void store.noteBudgetWait(live.id, wait)
  if (session !== null) recorder.note(session, waitDetail(wait, since))
  return wait
}

/** A session has ended that may have waited. Another one beside it may be what waits. */
export function sessionOver(live: LiveExecution, session: SessionId): void {
  const { store } = live.deps
  if (!storedOf(live).budgetWait) return
  const isLast = store
    .sessions(live.id)
    .every(({ id, kind, state }) => id === session || kind === 'service' || state === 'ended')
  if (isLast) void store.noteBudgetWait(live.id, null, 'over')
}
