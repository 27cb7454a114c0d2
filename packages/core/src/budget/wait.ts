import { clockTime } from '../text/clock-time.ts'
import type { UsedUp } from './used-up.ts'
import { limitText, usedUpOf, type BudgetState } from './budget-states.ts'

/**
 * The stored state of an execution that waits at a limit for a person. Times are integer milliseconds UTC; without an
 * answer by `until` it ends.
 */
export type BudgetWait = Pick<BudgetState, 'scope' | 'unit' | 'limit' | 'used'> & {
  since: number
  until: number
  currency: string
  /** Somebody has granted more, and it waits for a slot. */
  granted?: true
}

/** "waits for budget: 100k of 100k tokens used by this bead". */
export const waitText = (wait: BudgetWait): string =>
  wait.granted
    ? 'granted more: continues as soon as a slot is free'
    : `waits for budget: ${limitText(wait, wait.currency)}`

/** The same with the time at which the wait ends. */
export const waitDetail = (wait: BudgetWait, now: number): string =>
  `${waitText(wait)}; without an answer it ends at ${clockTime(wait.until, now)}`

/** The end if nobody has answered. */
export const unansweredOf = (wait: BudgetWait): UsedUp => ({
  ...usedUpOf(wait, wait.currency),
  askedMs: wait.until - wait.since,
})

/** The end if a person answered with a stop. */
export const refusedOf = (wait: BudgetWait): UsedUp => ({ ...usedUpOf(wait, wait.currency), refused: true })
