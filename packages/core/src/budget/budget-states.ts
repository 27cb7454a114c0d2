import { shortCount } from '../text/count-text.ts'
import { periods } from './periods.ts'
import { budgetScopes, budgetUnits, scopeOf, type BudgetScope, type BudgetUnit } from './scopes.ts'
import { amountText, type UsedUp } from './used-up.ts'
import type { Budgets } from './budget-settings.ts'

/**
 * `micros`: the cost of priced tokens, in millionths of the currency; `unpriced`: tokens without a price, whose cost
 * nobody knows.
 */
export type Spent = { tokens: number; micros: number; unpriced: number }

/**
 * A limit and its use, in tokens or in millionths of the currency. `limit` includes the grants. `unpriced`: tokens that
 * a limit of money does not count, because nobody knows their price; 0 for a limit of tokens.
 */
export type BudgetState = {
  scope: BudgetScope
  unit: BudgetUnit
  limit: number
  granted: number
  used: number
  unpriced: number
}

/** The states of all limits that are set. Both functions are called only for their scopes. */
export function budgetStates(
  budgets: Budgets,
  spent: (scope: BudgetScope) => Spent,
  granted: (scope: BudgetScope) => Record<BudgetUnit, number>,
): BudgetState[] {
  return budgetScopes.flatMap((scope) => {
    const units = budgetUnits.filter((unit) => budgets[scope][unit] !== null)
    if (units.length === 0) return []
    const [used, more] = [spent(scope), granted(scope)]
    return units.map((unit): BudgetState => ({
      scope,
      unit,
      limit: (budgets[scope][unit] ?? 0) + more[unit],
      granted: more[unit],
      used: unit === 'tokens' ? used.tokens : used.micros,
      unpriced: unit === 'tokens' ? 0 : used.unpriced,
    }))
  })
}

export const isReached = ({ limit, used }: BudgetState): boolean => used >= limit

/** @param percent of the limit at which people are warned */
export const isNear = ({ limit, used }: BudgetState, percent: number): boolean => used * 100 >= limit * percent

/** The narrowest limit that is reached or passed, or null. */
export const firstReached = (states: readonly BudgetState[]): BudgetState | null => states.find(isReached) ?? null

/**
 * The limits that one call brings near, with that call. `before`: the states without it, so that each limit is reported
 * once.
 */
export const comeNear = (before: readonly BudgetState[], call: Spent, percent: number): BudgetState[] =>
  before
    .filter((state) => !isNear(state, percent))
    .map((state) => ({ ...state, used: state.used + (state.unit === 'tokens' ? call.tokens : call.micros) }))
    .filter((state) => isNear(state, percent))

export const usedUpOf = (
  { scope, unit, limit }: Pick<BudgetState, 'scope' | 'unit' | 'limit'>,
  currency: string,
): UsedUp => ({
  scope,
  limit,
  ...(unit === 'money' && { unit, currency }),
})

/** "82k of 100k tokens used by this bead". */
export function limitText(
  { scope, unit, limit, used }: Pick<BudgetState, 'scope' | 'unit' | 'limit' | 'used'>,
  currency: string,
): string {
  const { name, period } = scopeOf(scope)
  const by = `by ${name}${period === null ? '' : ` ${periods[period].current}`}`
  return unit === 'tokens'
    ? `${shortCount(used)} of ${shortCount(limit)} tokens used ${by}`
    : `${amountText(used, 'money', currency).replace(/ \S+$/, '')} of ${amountText(limit, 'money', currency)} spent ${by}`
}

/** For people with a limit of money: a warning that it does not count this model. */
export const unpricedText = (model: string): string =>
  `the price of ${model} is not known, so no limit of money counts it: set "prices" in config.json`

export const unpricedTokensText = (tokens: number): string =>
  `${amountText(tokens)} have no known price, and no limit of money counts them`
