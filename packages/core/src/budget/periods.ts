import { budgetDay } from './token-budget.ts'

const DAY_MS = 24 * 3_600_000
/** 1970-01-01 was a Thursday. */
const MONDAY_BEFORE_1970 = -3 * DAY_MS

/** Milliseconds UTC at which the day of `now` began. */
export const startOfDay = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS

/** Milliseconds UTC at which its week began: Monday, 0:00. */
export const startOfWeek = (now: number): number =>
  Math.floor((now - MONDAY_BEFORE_1970) / (7 * DAY_MS)) * 7 * DAY_MS + MONDAY_BEFORE_1970

/** The Monday of the week, `2026-11-23`. */
export const budgetWeek = (now: number): string => budgetDay(startOfWeek(now))

export const nextBudgetWeek = (now: number): number => startOfWeek(now) + 7 * DAY_MS
