import { expect, test } from 'vitest'
import { parseBudgetSearch, periods, stepIn, tableKeys } from './budget-search.ts'

test('an address says for how many days and by what, and anything else is left out', () => {
  expect(parseBudgetSearch({ days: 30, by: 'model' })).toEqual({ days: 30, by: 'model' })
  for (const odd of [{ days: 7, by: 'bead' }, { days: 8, by: '__proto__' }, { days: '30', by: ['model'] }, {}])
    expect(parseBudgetSearch(odd)).toEqual({ days: undefined, by: undefined })
})

test('the keys go from one to the next, and stop at both ends', () => {
  const days = periods.map((one) => one.days)
  expect([stepIn(days, 7, 1), stepIn(days, 7, -1), stepIn(days, 1, -1), stepIn(days, 366, 1)]).toEqual([30, 1, 1, 366])
  expect(stepIn<string>(tableKeys, 'phase', 1)).toBe('kind')
})
