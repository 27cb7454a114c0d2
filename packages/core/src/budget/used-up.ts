import { durationText } from '../text/duration.ts'
import { capital } from '../text/sentence.ts'
import { periods } from './periods.ts'
import { holderText, scopeOf, type BudgetScope, type BudgetUnit } from './scopes.ts'

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

/** The setting that raises the limit, and its file. */
export function whereLimited({ scope, unit = 'tokens' }: Pick<UsedUp, 'scope' | 'unit'>): string {
  const { file, [unit]: setting } = scopeOf(scope)
  return `"${file === 'beadloom.json' ? 'limits.' : ''}${setting.key}" in ${file}`
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
  `the ${limit.unit === 'money' ? 'money' : 'token budget'} of ${holderText(limit.scope)} is used up: no further call will be answered (people raise ${whereLimited(limit)})`

/** A sentence for people: what happened, and what to do. */
export function describeUsedUp(limit: UsedUp): string {
  const { scope, unit, currency } = limit
  const amount = amountText(limit.limit, unit, currency)
  const asked = answerText(limit)
  const { name, period } = scopeOf(scope)
  if (period === null) return `${asked}All ${amount} of ${name} are used. Raise ${whereLimited(limit)}.`
  const { current, reset } = periods[period]
  return `${asked}${capital(name)} has used its ${amount} for ${current}. The limit resets ${reset}; or raise ${whereLimited(limit)}.`
}

function answerText({ askedMs, refused }: UsedUp): string {
  if (refused) return 'You stopped it at its limit. '
  return askedMs === undefined ? '' : `Nobody answered within ${durationText(askedMs)} whether it may have more. `
}
