import { useKeys, type UseKey } from '@beadloom/core/api/budgets/token-use-api.ts'

/** Numbers of days including today, by UTC. */
export const periods = [
  { days: 1, name: 'Today' },
  { days: 7, name: '7 days' },
  { days: 30, name: '30 days' },
  { days: 90, name: '90 days' },
  { days: 366, name: '1 year' },
] as const
export type Days = (typeof periods)[number]['days']

/** "bead" comes first, as the most used, and is left out of the address. */
export const tableKeys = ['bead', 'model', 'agent', 'phase', 'kind', 'day'] as const satisfies readonly UseKey[]
export const usualDays: Days = 7
export const usualKey: UseKey = 'bead'

export type BudgetSearch = { days?: Days | undefined; by?: UseKey | undefined }

export const parseBudgetSearch = (search: Record<string, unknown>): BudgetSearch => ({
  days: periods.find(({ days }) => days === search['days'] && days !== usualDays)?.days,
  by: useKeys.find((key) => key === search['by'] && key !== usualKey),
})

/** The item before or after; at the ends, the same. */
export function stepIn<T>(all: readonly T[], now: T, by: 1 | -1): T {
  const at = Math.min(all.length - 1, Math.max(0, all.indexOf(now) + by))
  return all[at] ?? now
}
