import { expect, test } from 'vitest'
import { BudgetWarnings, contextWarning, spentWarning } from './budget-warnings.ts'

test('each threshold is reported once, and one that is passed in a leap together with those below it', () => {
  const warnings = new BudgetWarnings()
  expect([10, 69.9, 70, 75, 80, 79, 81].map((percent) => warnings.reached(percent))).toEqual([
    null,
    null,
    70,
    null,
    80,
    null,
    null,
  ])
  expect([95, 120].map((percent) => warnings.reached(percent))).toEqual([90, null])
  const leap = new BudgetWarnings()
  expect([85, 70, 89, 90].map((percent) => leap.reached(percent))).toEqual([80, null, null, 90])
})

test('a fresh start is reported anew', () => {
  const warnings = new BudgetWarnings()
  warnings.reached(95)
  warnings.begin()
  expect(warnings.reached(71)).toBe(70)
})

test('the first threshold can be set', () => {
  const early = new BudgetWarnings(50)
  expect([49, 50, 79, 80].map((percent) => early.reached(percent))).toEqual([null, 50, null, 80])
  const late = new BudgetWarnings(85)
  expect([80, 85, 90].map((percent) => late.reached(percent))).toEqual([null, 85, 90])
})

test('an agent is told what it can do, and nothing that needs a missing tool', () => {
  expect(contextWarning(70, true)).toBe(
    '⚠️ Context budget is 70% used. Consider:\n1. Spawning a sub-agent for remaining work\n2. Summarizing findings and completing\n3. Focusing only on the most critical remaining task',
  )
  expect(contextWarning(80, false)).toBe(
    '⚠️ Context budget is 80% used. Consider:\n1. Summarizing findings and completing\n2. Focusing only on the most critical remaining task',
  )
  expect(spentWarning(70, 70_500, 100_000, false)).toContain(
    '70% used: 70,500 of 100,000 tokens. When it is used up, no further call is answered.',
  )
  expect(spentWarning(70, 70_500, 100_000, true)).toContain(
    'When it is used up, your next call waits until a person grants more.',
  )
  // A sub-agent spends from the same budget.
  expect(spentWarning(70, 70_500, 100_000, false)).not.toContain('sub-agent')
})
