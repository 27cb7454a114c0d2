import { DEFAULT_ANSWER_MS } from '@beadloom/core/budget/budget-settings.ts'
import { unansweredOf, waitDetail, type BudgetWait } from '@beadloom/core/budget/wait.ts'
import type { BudgetState } from '@beadloom/core/budget/budget-states.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import type { Spender } from '@beadloom/core/budget/scopes.ts'
import type { Hold } from './hold.ts'

/** Holds calls at a limit until a person has granted more, or the limit's day is over. */
export const limitHold = (live: LiveExecution, of: Spender & { session: SessionId }): Hold => ({
  inForce: () => {
    const reached = live.deps.budget.reached(of, live.settings)
    if (reached === null) return null
    const wait = noteWait(live, of.session, reached)
    return { until: wait.until, unanswered: () => unansweredOf(wait) }
  },
  waitsForSlot: () => noteGranted(live),
  over: () => {
    if (budgetWait(live)) void live.deps.store.noteBudgetWait(live.id, null)
  },
})

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
