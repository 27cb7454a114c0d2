import { budgetScopes, type BudgetScope, type BudgetUnit } from './token-budget.ts'

/** At a limit an execution either ends, or waits and asks a person. */
export const onLimits = ['stop', 'ask'] as const
export type OnLimit = (typeof onLimits)[number]

/** Percent of a limit at which people are warned. */
export const DEFAULT_WARN_AT = 75
/** A person who has gone home answers the next morning. */
export const DEFAULT_ANSWER_MS = 24 * 3_600_000

/** A larger number is a typo. Sums of such amounts are still exact. */
export const MOST_TOKENS = 1e12
/** In units of the currency. */
export const MOST_MONEY = 1e6
/** Smaller amounts vanish in millionths. */
export const LEAST_MONEY = 0.0001

/** Null: no limit. Money is in millionths of the server's currency. */
export type BudgetLimits = Record<BudgetScope, Record<BudgetUnit, number | null>>

/** The limits of all projects together on one day (UTC), in tokens and in units of the currency. */
export type ServerBudget = { maxTokensPerDay: number | null; maxCostPerDay: number | null }
export const noServerBudget: ServerBudget = { maxTokensPerDay: null, maxCostPerDay: null }

type Given = Partial<
  Record<
    | `maxTokens${'' | 'PerSession' | 'PerBead' | 'PerDay' | 'PerWeek'}`
    | `maxCost${'' | 'PerSession' | 'PerBead' | 'PerDay' | 'PerWeek'}`,
    number | null
  >
>

/** Settings that an older server stored do not have the newer limits. */
export function budgetLimits(given: Given, server: ServerBudget): BudgetLimits {
  const of = (tokens: number | null | undefined, money: number | null | undefined) => ({
    tokens: tokens ?? null,
    money: money === null || money === undefined ? null : Math.round(money * 1e6),
  })
  return {
    session: of(given.maxTokensPerSession, given.maxCostPerSession),
    execution: of(given.maxTokens, given.maxCost),
    bead: of(given.maxTokensPerBead, given.maxCostPerBead),
    day: of(given.maxTokensPerDay, given.maxCostPerDay),
    week: of(given.maxTokensPerWeek, given.maxCostPerWeek),
    server: of(server.maxTokensPerDay, server.maxCostPerDay),
  }
}

export const hasMoneyLimit = (limits: BudgetLimits): boolean =>
  budgetScopes.some((scope) => limits[scope].money !== null)
