import { durationText } from '../text/duration.ts'

/**
 * The scopes of limits: one session, one execution, all executions of a bead, a project's calendar day or week, or all
 * projects' day (UTC). The narrowest comes first.
 */
export const budgetScopes = ['session', 'execution', 'bead', 'day', 'week', 'server'] as const
export type BudgetScope = (typeof budgetScopes)[number]

export const budgetUnits = ['tokens', 'money'] as const
export type BudgetUnit = (typeof budgetUnits)[number]

/** Tokens, input and output together; null: no limit. */
export type TokenLimits = Record<'session' | 'execution' | 'day', number | null>

/**
 * A limit that is reached. Without a unit it is one of tokens, as servers before this one stored it; money is in
 * millionths of `currency`. `askedMs`: a person was asked for more and did not answer for this long. `refused`: the
 * person answered with a stop.
 */
export type UsedUp = {
  scope: BudgetScope
  limit: number
  unit?: BudgetUnit
  currency?: string
  askedMs?: number
  refused?: true
}

/** The calendar day in UTC, `2026-11-22`: the same on every server, in every time zone. */
export const budgetDay = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** Milliseconds UTC at which the next day begins, with a fresh limit. */
export const nextBudgetDay = (now: number): number => {
  const day = 24 * 3_600_000
  return (Math.floor(now / day) + 1) * day
}

/** The settings that raise the limits, and their file. */
const keys: Record<BudgetScope, Record<BudgetUnit, string>> = {
  session: { tokens: 'limits.maxTokensPerSession', money: 'limits.maxCostPerSession' },
  execution: { tokens: 'limits.maxTokens', money: 'limits.maxCost' },
  bead: { tokens: 'limits.maxTokensPerBead', money: 'limits.maxCostPerBead' },
  day: { tokens: 'limits.maxTokensPerDay', money: 'limits.maxCostPerDay' },
  week: { tokens: 'limits.maxTokensPerWeek', money: 'limits.maxCostPerWeek' },
  server: { tokens: 'maxTokensPerDay', money: 'maxCostPerDay' },
}

export const whereLimited = ({ scope, unit = 'tokens' }: Pick<UsedUp, 'scope' | 'unit'>): string =>
  `"${keys[scope][unit]}" in ${scope === 'server' ? 'config.json' : 'beadloom.json'}`

/** The user of a limit, for sentences. */
export const holders: Record<BudgetScope, string> = {
  session: 'this session',
  execution: 'this execution',
  bead: 'this bead',
  day: "the project's day",
  week: "the project's week",
  server: "the server's day",
}

/** `50,000 tokens`, `5.00 USD`; small amounts of money have four digits behind the point. */
export function amountText(amount: number, unit: BudgetUnit = 'tokens', currency = 'USD'): string {
  if (unit === 'tokens') return `${amount.toLocaleString('en-US')} tokens`
  const whole = amount / 1e6
  const digits = whole >= 0.1 || whole === 0 ? 2 : 4
  const said = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${whole.toLocaleString('en-US', said)} ${currency}`
}

/** The message to an agent whose call is refused. */
export const toldToAgents = (limit: UsedUp): string =>
  `the ${limit.unit === 'money' ? 'money' : 'token budget'} of ${holders[limit.scope]} is used up: no further call will be answered (people raise ${whereLimited(limit)})`

const resets: Partial<Record<BudgetScope, string>> = {
  day: 'The project has used its AMOUNT for today. The limit resets at midnight UTC;',
  week: 'The project has used its AMOUNT for this week. The limit resets on Monday at midnight UTC;',
  server: 'The server has used its AMOUNT for today. The limit resets at midnight UTC;',
}

/** A sentence for people: what happened, and what to do. */
export function describeUsedUp(limit: UsedUp): string {
  const { scope, unit, currency } = limit
  const amount = amountText(limit.limit, unit, currency)
  const asked = answerText(limit)
  const reset = resets[scope]
  return reset
    ? `${asked}${reset.replace('AMOUNT', amount)} or raise ${whereLimited(limit)}.`
    : `${asked}All ${amount} of ${holders[scope]} are used. Raise ${whereLimited(limit)}.`
}

function answerText({ askedMs, refused }: UsedUp): string {
  if (refused) return 'You stopped it at its limit. '
  return askedMs === undefined ? '' : `Nobody answered within ${durationText(askedMs)} whether it may have more. `
}
