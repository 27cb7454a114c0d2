import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { unpricedTokensText } from '@beadloom/core/budget/budget-states.ts'
import { DEFAULT_WARN_AT } from '@beadloom/core/budget/budget-settings.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { isOwn } from '@beadloom/core/budget/scopes.ts'
import type { BudgetWatch } from '../../ports/budget.ts'
import type { Store } from '../../ports/store.ts'
import { limitView, openBudgets } from '../../budget/open-budgets.ts'
import { settingsFor } from '../stored/stored-settings.ts'

/**
 * Warnings about the limits of a running execution: those that are nearly reached, costs that no limit of money covers,
 * and its own limit that is used up most.
 */
export function budgetSigns(
  { store, budget }: { store: Store; budget: BudgetWatch },
  execution: Execution,
): { signs: string[] } & Pick<ExecutionView, 'limit'> {
  const settings = execution.state === 'RUNNING' ? settingsFor(store, execution) : null
  if (settings === null) return { signs: [] }
  const percent = settings.limits.warnAtPercent ?? DEFAULT_WARN_AT
  const limits = openBudgets({ store, budget }, execution, settings).map(({ state }) =>
    limitView(state, percent, budget.currency),
  )
  const [fullest] = limits.filter(({ scope }) => isOwn(scope)).toSorted((a, b) => b.used / b.limit - a.used / a.limit)
  const unpriced = limits.find((one) => one.unpriced > 0 && one.scope !== 'server')
  return {
    signs: [
      ...new Set(limits.filter(({ near }) => near).map(({ text }) => text)),
      ...(unpriced ? [unpricedTokensText(unpriced.unpriced)] : []),
    ],
    ...(fullest && { limit: fullest }),
  }
}
