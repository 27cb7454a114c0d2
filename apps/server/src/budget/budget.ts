import { budgetsOf, hasMoneyBudget, noServerBudget } from '@beadloom/core/budget/budget-settings.ts'
import { firstReached, budgetStates, type BudgetState, type Spent } from '@beadloom/core/budget/budget-states.ts'
import {
  budgetScopes,
  countTogether,
  covers,
  nobody,
  spentBy,
  type BudgetScope,
  type Spender,
  type SpentBy,
} from '@beadloom/core/budget/scopes.ts'
import type { BudgetWatch, HasLimits } from '../ports/budget.ts'
import type { BudgetStore } from '../ports/store/budgets.ts'
import type { Clock } from '../process/clock.ts'

type Deps = {
  store: Pick<BudgetStore, 'spent' | 'granted'>
  clock: Pick<Clock, 'now'>
  /** The limits of all projects together. */
  server?: typeof noServerBudget
  /** ISO 4217. */
  currency: string
}

/** Counts against the limits of tokens and money: everything stored, and the use still on its way into the database. */
export class Budget implements BudgetWatch {
  readonly currency: string
  readonly #deps: Deps
  readonly #server: typeof noServerBudget
  /** Use that is not stored yet, because the database cannot be written. */
  readonly #pending = new Set<{ of: Spender; spent: Spent }>()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#server = deps.server ?? noServerBudget
    this.currency = deps.currency
  }

  states(of: Spender, settings: HasLimits): BudgetState[] {
    return this.covering(of, settings).map(({ state }) => state)
  }

  covering(of: Spender, { limits }: HasLimits): { state: BudgetState; by: SpentBy }[] {
    const now = this.#deps.clock.now()
    const given = budgetsOf(limits, this.#server)
    for (const scope of budgetScopes) if (!covers(scope, of)) given[scope] = { tokens: null, money: null }
    const by = (scope: BudgetScope) => spentBy(scope, of, now)
    const states = budgetStates(
      given,
      (scope) => this.#spent(by(scope), of),
      (scope) => this.#deps.store.granted(by(scope)),
    )
    return states.map((state) => ({ state, by: by(state.scope) }))
  }

  ofServer(): BudgetState[] {
    return this.states(nobody, { limits: {} })
  }

  reached(of: Spender, settings: HasLimits): BudgetState | null {
    return firstReached(this.states(of, settings))
  }

  hasMoneyBudget({ limits }: HasLimits): boolean {
    return hasMoneyBudget(budgetsOf(limits, this.#server))
  }

  count(of: Spender, spent: Spent, stored: void | Promise<void>): void {
    const one = { of, spent }
    this.#pending.add(one)
    const settled = () => void this.#pending.delete(one)
    void Promise.resolve(stored).then(settled, settled)
  }

  #spent(by: SpentBy, of: Spender): Spent {
    const sum = { ...this.#deps.store.spent(by) }
    for (const one of this.#pending) {
      if (!countTogether(by.scope, one.of, of)) continue
      sum.tokens += one.spent.tokens
      sum.micros += one.spent.micros
      sum.unpriced += one.spent.unpriced
    }
    return sum
  }
}
