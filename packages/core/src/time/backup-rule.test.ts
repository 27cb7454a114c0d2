import { expect, test } from 'vitest'
import { surplusBackups } from './backup-rule.ts'

const HOUR = 3_600_000
const start = Date.UTC(2026, 0, 1)
const every = (hours: number, count: number) => Array.from({ length: count }, (_, at) => start + at * hours * HOUR)

test('a server that runs all the time keeps a day of hours, and the last one of each of seven days', () => {
  const times = every(1, 24 * 30)
  const kept = times.filter((time) => !surplusBackups(times).includes(time))
  expect(kept.slice(-24)).toEqual(times.slice(-24))
  const days = kept.slice(0, -24).map((time) => new Date(time).toISOString().slice(0, 13))
  expect(days).toEqual(['24', '25', '26', '27', '28', '29'].map((day) => `2026-01-${day}T23`))
})

test('a server that runs now and then keeps an old copy as long as there is nothing newer', () => {
  expect(surplusBackups(every(24 * 40, 24))).toEqual([])
  expect(surplusBackups([])).toEqual([])
  expect(surplusBackups(every(24, 25))).toEqual([start])
})

test('a backup by a clock that was years ahead costs none of the others', () => {
  const times = [...every(1, 23), start + 10 * 365 * 24 * HOUR]
  expect(surplusBackups(times)).toEqual([])
})
