import { expect, test } from 'vitest'
import { daysSince, parseActivitySearch, yesterdayEvening } from './activity-search.ts'

const HOUR = 3_600_000

test('an address has a period or a time, and nonsense is ignored', () => {
  expect(parseActivitySearch({ days: 7 })).toEqual({ days: 7 })
  expect(parseActivitySearch({ since: '1764000000000', days: 7 })).toEqual({ since: 1_764_000_000_000 })
  for (const since of ['-5', 'soon', '1e99', 1.5]) expect(parseActivitySearch({ since })).toEqual({ days: undefined })
})

test('enough days are requested, and never more than the server has', () => {
  expect([daysSince(0, HOUR), daysSince(0, 25 * HOUR), daysSince(0, 9_999 * 24 * HOUR)]).toEqual([1, 2, 90])
  expect(daysSince(HOUR, 0)).toBe(1)
})

test('yesterday evening is six o’clock by the clock on the wall', () => {
  const evening = new Date(yesterdayEvening(new Date(2026, 2, 1, 7, 30).getTime()))
  expect([evening.getMonth(), evening.getDate(), evening.getHours()]).toEqual([1, 28, 18])
})
