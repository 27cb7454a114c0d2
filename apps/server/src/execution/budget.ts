import { budgetLimits, hasMoneyLimit, noServerBudget, type ServerBudget } from '@beadloom/core/budget/limits.ts'
import { firstReached, limitStates, type LimitState, type Spent } from '@beadloom/core/budget/limit-states.ts'
import { startOfDay, startOfWeek } from '@beadloom/core/budget/periods.ts'
import type { BudgetScope } from '@beadloom/core/budget/token-budget.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { BudgetWatch, LimitsOf, Spender } from '../ports/budget.ts'
import type { BudgetStore, SpentBy } from '../ports/store/budgets.ts'
import type { Clock } from '../process/clock.ts'

type Deps = {
  store: Pick<BudgetStore, 'spent' | 'granted'>
  clock: Pick<Clock, 'now'>
  /** The limits of all projects together. */
  server?: ServerBudget
  /** ISO 4217. */
  currency: string
}

/** Counts against the limits of tokens and money: everything stored, and the use still on its way into the database. */
export class Budget implements BudgetWatch {
  readonly currency: string
  readonly #deps: Deps
  readonly #server: ServerBudget
  /** Use that is not stored yet, because the database cannot be written. */
  readonly #pending = new Set<{ of: Spender; spent: Spent }>()
  #news = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#server = deps.server ?? noServerBudget
    this.currency = deps.currency
  }

  /** Every limit that covers the spender and how much of it is used, the narrowest first. */
  states(of: Spender, settings: LimitsOf): LimitState[] {
    return this.covering(of, settings).map(({ state }) => state)
  }

  covering(of: Spender, { limits }: LimitsOf): { state: LimitState; by: SpentBy }[] {
    const now = this.#deps.clock.now()
    const given = budgetLimits(limits, this.#server)
    for (const scope of ['session', 'execution', 'bead'] as const)
      if (of[scope] === null) given[scope] = { tokens: null, money: null }
    const states = limitStates(
      given,
      (scope) => this.#spent(spentBy(scope, of, now), of),
      (scope) => this.#deps.store.granted(spentBy(scope, of, now)),
    )
    return states.map((state) => ({ state, by: spentBy(state.scope, of, now) }))
  }

  /** The limits of all projects together. */
  ofServer(): LimitState[] {
    const nobody = { session: null, execution: null, bead: null, project: '' as ProjectId }
    return this.states(nobody, { limits: {} }).filter(({ scope }) => scope === 'server')
  }

  /** The narrowest limit that is reached; null: the next call may be made. */
  reached(of: Spender, settings: LimitsOf): LimitState | null {
    return firstReached(this.states(of, settings))
  }

  limitsMoney({ limits }: LimitsOf): boolean {
    return hasMoneyLimit(budgetLimits(limits, this.#server))
  }

  /**
   * Counts use that is being stored: it counts from this moment, also while the database cannot take it.
   *
   * @param stored settles once it is stored, in the same turn of the loop if nothing is in the way
   */
  count(of: Spender, spent: Spent, stored: void | Promise<void>): void {
    const one = { of, spent }
    this.#pending.add(one)
    const settled = () => void this.#pending.delete(one)
    void Promise.resolve(stored).then(settled, settled)
  }

  /** Aborts when something may have changed for those who wait: more was granted. */
  get news(): AbortSignal {
    return this.#news.signal
  }

  nudge(): void {
    const before = this.#news
    this.#news = new AbortController()
    before.abort()
  }

  #spent(by: SpentBy, of: Spender): Spent {
    const sum = { ...this.#deps.store.spent(by) }
    for (const one of this.#pending) {
      if (!counts(by.scope, one.of, of)) continue
      sum.tokens += one.spent.tokens
      sum.micros += one.spent.micros
      sum.unpriced += one.spent.unpriced
    }
    return sum
  }
}

function counts(scope: BudgetScope, one: Spender, of: Spender): boolean {
  switch (scope) {
    case 'session':
      return one.session === of.session
    case 'execution':
      return one.execution === of.execution
    case 'bead':
      return one.project === of.project && one.bead === of.bead
    case 'day':
    case 'week':
      return one.project === of.project
    case 'server':
      return true
  }
}

/** The scope over which a spender's limit is counted now. */
function spentBy(scope: BudgetScope, of: Spender, now: number): SpentBy {
  const { project } = of
  switch (scope) {
    case 'session':
      return { scope, session: known(of.session) }
    case 'execution':
      return { scope, execution: known(of.execution) }
    case 'bead':
      return { scope, project, bead: known(of.bead) }
    case 'day':
      return { scope, project, since: startOfDay(now) }
    case 'week':
      return { scope, project, since: startOfWeek(now) }
    case 'server':
      return { scope, since: startOfDay(now) }
  }
}

function known<T>(id: T | null): T {
  if (id === null) throw new Error('a limit is asked of somebody whom it does not cover')
  return id
}
