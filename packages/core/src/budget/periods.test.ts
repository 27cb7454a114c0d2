import { expect, test } from 'vitest'
import { budgetDay, periods } from './periods.ts'

const at = (text: string) => Date.parse(text)
const { day, week } = periods

test('a week is that of UTC, and begins on Monday at midnight', () => {
  const sunday = at('2026-11-22T23:59:59.999Z')
  expect(budgetDay(week.startOf(sunday))).toBe('2026-11-16')
  expect(week.endOf(sunday)).toBe(sunday + 1)
  expect(budgetDay(week.startOf(sunday + 1))).toBe('2026-11-23')
  expect(week.startOf(at('2026-11-25T12:00:00Z'))).toBe(at('2026-11-23T00:00:00Z'))
  expect(week.startOf(0)).toBe(at('1969-12-29T00:00:00Z'))
})

test('a day is that of UTC, and begins and ends at its midnight', () => {
  const late = Date.UTC(2026, 10, 22, 23, 59, 59, 999)
  expect(budgetDay(late)).toBe('2026-11-22')
  expect(day.endOf(late)).toBe(late + 1)
  expect(budgetDay(late + 1)).toBe('2026-11-23')
  expect(day.endOf(late + 1)).toBe(late + 1 + 24 * 3_600_000)
  expect(day.startOf(at('2026-11-25T12:34:56Z'))).toBe(at('2026-11-25T00:00:00Z'))
})
