import { expect, test } from 'vitest'
import { budgetDay, describeUsedUp, nextBudgetDay, usedUp } from './token-budget.ts'
import { costMicros } from './token-use.ts'

const none = { session: null, execution: null, day: null }
const used = { session: 10, execution: 50, day: 200 }

test('no limit is never reached', () => {
  expect(usedUp(none, { session: 1e12, execution: 1e12, day: 1e12 })).toBeNull()
})

test('a limit is reached when as much as it allows is used, and the narrowest one is named', () => {
  expect(usedUp({ ...none, execution: 51 }, used)).toBeNull()
  expect(usedUp({ ...none, execution: 50 }, used)).toEqual({ scope: 'execution', limit: 50 })
  expect(usedUp({ session: 10, execution: 50, day: 200 }, used)).toEqual({ scope: 'session', limit: 10 })
  expect(usedUp({ session: 11, execution: 51, day: 200 }, used)).toEqual({ scope: 'day', limit: 200 })
})

test('a limit of nothing is reached before the first token', () => {
  expect(usedUp({ ...none, day: 0 }, { session: 0, execution: 0, day: 0 })).toEqual({ scope: 'day', limit: 0 })
})

test('a day is that of UTC and ends at its midnight', () => {
  const late = Date.UTC(2026, 10, 22, 23, 59, 59, 999)
  expect(budgetDay(late)).toBe('2026-11-22')
  expect(nextBudgetDay(late)).toBe(late + 1)
  expect(budgetDay(late + 1)).toBe('2026-11-23')
  expect(nextBudgetDay(late + 1)).toBe(late + 1 + 24 * 3_600_000)
})

test('the sentence names the setting, and when the limit of a day resets', () => {
  expect(describeUsedUp({ scope: 'execution', limit: 50_000 })).toBe(
    'All 50,000 tokens of this execution are used. Raise "limits.maxTokens" in beadloom.json.',
  )
  expect(describeUsedUp({ scope: 'day', limit: 5 })).toContain('midnight UTC')
})

test('money is tokens times their price, with cached input at its own', () => {
  const price = { input: 1.25, cachedInput: 0.125, output: 10 }
  expect(costMicros({ input: 1_000_000, output: 0 }, price)).toBe(1_250_000)
  expect(costMicros({ input: 1_000_000, cached: 1_000_000, output: 100_000 }, price)).toBe(125_000 + 1_000_000)
  expect(costMicros({ input: 100, cached: 40, output: 0 }, { input: 1, output: 1 })).toBe(100)
})
