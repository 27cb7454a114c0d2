import { isNear, limitText, unpricedTokensText } from '@beadloom/core/budget/limit-states.ts'
import { DEFAULT_WARN_AT } from '@beadloom/core/budget/limits.ts'
import type { Execution } from '@beadloom/core/execution/execution.ts'
import type { BudgetWatch } from '../../ports/budget.ts'
import type { Store } from '../../ports/store.ts'
import { openLimits, settingsFor } from './open-limits.ts'

/** What a person should know of the limits of an execution that runs: those that are near, and what no limit of money sees. */
export function budgetSigns({ store, budget }: { store: Store; budget: BudgetWatch }, execution: Execution): string[] {
  const settings = execution.state === 'RUNNING' ? settingsFor(store, execution) : null
  if (settings === null) return []
  const limits = openLimits({ store, budget }, execution, settings).map(({ state }) => state)
  const percent = settings.limits.warnAtPercent ?? DEFAULT_WARN_AT
  const near = limits.filter((state) => isNear(state, percent))
  const unpriced = limits.find((state) => state.unpriced > 0 && state.scope !== 'server')
  return [
    ...new Set(near.map((state) => limitText(state, budget.currency))),
    ...(unpriced ? [unpricedTokensText(unpriced.unpriced)] : []),
  ]
}
