import { expect, test } from 'vitest'
import { budgetWeek, nextBudgetWeek, startOfDay, startOfWeek } from './periods.ts'

const at = (text: string) => Date.parse(text)

test('a week is that of UTC, and begins on Monday at midnight', () => {
  const sunday = at('2026-11-22T23:59:59.999Z')
  expect(budgetWeek(sunday)).toBe('2026-11-16')
  expect(nextBudgetWeek(sunday)).toBe(sunday + 1)
  expect(budgetWeek(sunday + 1)).toBe('2026-11-23')
  expect(startOfWeek(at('2026-11-25T12:00:00Z'))).toBe(at('2026-11-23T00:00:00Z'))
  expect(startOfWeek(0)).toBe(at('1969-12-29T00:00:00Z'))
})

test('a day begins at midnight UTC', () => {
  expect(startOfDay(at('2026-11-25T12:34:56Z'))).toBe(at('2026-11-25T00:00:00Z'))
})
