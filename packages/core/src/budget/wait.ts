import { clockTime } from '../text/clock-time.ts'
import type { UsedUp } from '../execution/token-budget.ts'
import { limitText, type LimitState } from './limit-states.ts'

/**
 * An execution that waits at a limit for a person, as it is stored. Times are integer milliseconds UTC; without an answer by
 * `until` it ends.
 */
export type BudgetWait = Pick<LimitState, 'scope' | 'unit' | 'limit' | 'used'> & {
  since: number
  until: number
  currency: string
}

/** "waits for budget: 100 k of 100 k tokens used by this bead". */
export const waitText = (wait: BudgetWait): string => `waits for budget: ${limitText(wait, wait.currency)}`

/** With the time at which nobody waits any more. */
export const waitDetail = (wait: BudgetWait, now: number): string =>
  `${waitText(wait)}; without an answer it ends at ${clockTime(wait.until, now)}`

/** What it is called when nobody has answered. */
export const unansweredOf = ({ scope, unit, limit, currency, since, until }: BudgetWait): UsedUp => ({
  scope,
  limit,
  ...(unit === 'money' && { unit, currency }),
  askedMs: until - since,
})
