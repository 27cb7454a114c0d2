import type { LimitView } from '@beadloom/core/api/budgets/budget-api.ts'
import { isNear, isReached, limitText, type BudgetState } from '@beadloom/core/budget/budget-states.ts'
import { isOfSession, type SpentBy } from '@beadloom/core/budget/scopes.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { BudgetWatch } from '../ports/budget.ts'
import type { Store } from '../ports/store.ts'
import { spenderOf } from './spender.ts'

export const limitView = (state: BudgetState, warnAt: number, currency: string): LimitView => ({
  ...state,
  near: isNear(state, warnAt),
  reached: isReached(state),
  text: limitText(state, currency),
})

export type OpenBudget = { state: BudgetState; by: SpentBy }

/** Each budget that covers an execution, once; a session's budget for each open session. */
export function openBudgets(
  { store, budget }: { store: Pick<Store, 'sessions'>; budget: BudgetWatch },
  execution: Execution,
  settings: ProjectSettings,
): OpenBudget[] {
  const { id, endedAt } = execution
  const open =
    endedAt === null ? store.sessions(id).filter(({ kind, state }) => kind !== 'service' && state !== 'ended') : []
  const bySessions = open.flatMap((session) =>
    budget.covering(spenderOf(execution, session.id), settings).filter(({ state }) => isOfSession(state.scope)),
  )
  return [...bySessions, ...budget.covering(spenderOf(execution, null), settings)]
}
