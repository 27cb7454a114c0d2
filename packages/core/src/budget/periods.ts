const DAY_MS = 24 * 3_600_000
/** 1970-01-01 was a Thursday. */
const MONDAY_BEFORE_1970 = -3 * DAY_MS

/** The calendar day in UTC, `2026-11-22`: the same on every server, in every time zone. */
export const budgetDay = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** Milliseconds UTC at which the day of `now` began. */
export const startOfDay = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS

/** Milliseconds UTC at which its week began: Monday, 0:00. */
export const startOfWeek = (now: number): number =>
  Math.floor((now - MONDAY_BEFORE_1970) / (7 * DAY_MS)) * 7 * DAY_MS + MONDAY_BEFORE_1970

/** The periods in which use counts. `startOf` and `endOf` are milliseconds UTC; a fresh limit begins at the end. */
export const periods = {
  day: {
    startOf: startOfDay,
    endOf: (now: number) => startOfDay(now) + DAY_MS,
    current: 'today',
    adjective: 'daily',
    reset: 'at midnight UTC',
  },
  week: {
    startOf: startOfWeek,
    endOf: (now: number) => startOfWeek(now) + 7 * DAY_MS,
    current: 'this week',
    adjective: 'weekly',
    reset: 'on Monday at midnight UTC',
  },
}
export type Period = keyof typeof periods
