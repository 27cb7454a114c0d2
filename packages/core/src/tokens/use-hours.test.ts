import { expect, test } from 'vitest'
import { noUse } from './sum-use.ts'
import { dayStart, useOfDays, useOfLastHour, useSince } from './use-hours.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 23, 12)
const at = (hour: number, input: number, costMicros: number | null = null) => ({
  hour,
  use: { ...noUse, input, costMicros },
})

test('the last hour includes the matching part of the one before', () => {
  const hours = [at(NOON - 2 * HOUR, 1000), at(NOON - HOUR, 100, 40), at(NOON, 8)]
  expect(useOfLastHour(hours, NOON)).toMatchObject({ input: 108, costMicros: 40 })
  expect(useOfLastHour(hours, NOON + HOUR / 4)).toMatchObject({ input: 83, costMicros: 30 })
  expect(useOfLastHour(hours, NOON + HOUR - 1)).toMatchObject({ input: 8, costMicros: 0 })
  expect(useOfLastHour(hours, NOON + 3 * HOUR)).toEqual(noUse)
})

test('each day has its bar, even one without use', () => {
  const hours = [at(NOON - 15 * DAY, 7), at(NOON - 2 * DAY, 1), at(NOON - 2 * DAY + HOUR, 2), at(NOON, 5)]
  expect(useOfDays(hours, NOON, 3).map(({ day, use }) => [day, use.input])).toEqual([
    ['2026-11-21', 3],
    ['2026-11-22', 0],
    ['2026-11-23', 5],
  ])
})

test('use counts from the beginning of a day, and so does use that a clock that jumped back has left behind', () => {
  const hours = [at(NOON - DAY, 1), at(dayStart(NOON), 2), at(NOON + DAY, 4)]
  expect(useSince(hours, dayStart(NOON)).input).toBe(6)
  expect(useSince(hours, dayStart(NOON, 1)).input).toBe(7)
  expect(useSince([], 0).costMicros).toBeNull()
})
