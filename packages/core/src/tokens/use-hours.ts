import { budgetDay } from '../budget/periods.ts'
import type { UseAmounts } from '../api/budgets/token-use-api.ts'
import { addUse, noUse, partOfUse } from './sum-use.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The use of one hour; `hour` is its beginning in milliseconds UTC. */
export type HourUse = { hour: number; use: UseAmounts }

const sumOf = (hours: readonly HourUse[]): UseAmounts => hours.reduce((sum, { use }) => addUse(sum, use), noUse)

/** The beginning of the day (UTC) `ago` days back; 0: today. */
export const dayStart = (now: number, ago = 0): number => now - (now % DAY_MS) - ago * DAY_MS

/** The use since a time. Hours in the future count, too: the clock may have jumped back. */
export const useSince = (hours: readonly HourUse[], since: number): UseAmounts =>
  sumOf(hours.filter(({ hour }) => hour >= since))

/** The use of this hour, plus the share of the previous hour within the last sixty minutes, as if spread evenly. */
export function useOfLastHour(hours: readonly HourUse[], now: number): UseAmounts {
  const current = now - (now % HOUR_MS)
  const before = sumOf(hours.filter(({ hour }) => hour === current - HOUR_MS))
  return addUse(useSince(hours, current), partOfUse(before, 1 - (now - current) / HOUR_MS))
}

/** The last `days` days with today, oldest first, including days without use. */
export function useOfDays(hours: readonly HourUse[], now: number, days: number): { day: string; use: UseAmounts }[] {
  const sums = new Map<string, UseAmounts>()
  for (let ago = days - 1; ago >= 0; ago--) sums.set(budgetDay(dayStart(now, ago)), noUse)
  for (const { hour, use } of hours) {
    const day = budgetDay(hour)
    const sum = sums.get(day)
    if (sum) sums.set(day, addUse(sum, use))
  }
  return [...sums].map(([day, use]) => ({ day, use }))
}
