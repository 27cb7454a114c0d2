import { expect, test } from 'vitest'
import { amountText, describeUsedUp, toldToAgents } from './used-up.ts'
import { costMicros } from './token-use.ts'

test('the sentence names the setting, and when the limit of a day resets', () => {
  expect(describeUsedUp({ scope: 'execution', limit: 50_000 })).toBe(
    'All 50,000 tokens of this execution are used. Raise "limits.maxTokens" in beadloom.json.',
  )
  expect(describeUsedUp({ scope: 'day', limit: 5 })).toContain('midnight UTC')
  expect(describeUsedUp({ scope: 'week', limit: 5 })).toContain('on Monday at midnight UTC')
})

test('money, the server and an unanswered question have words of their own', () => {
  expect(describeUsedUp({ scope: 'bead', limit: 2_500_000, unit: 'money', currency: 'EUR', askedMs: 3_600_000 })).toBe(
    'Nobody answered within 1 h whether it may have more. All 2.50 EUR of this bead are used. Raise "limits.maxCostPerBead" in beadloom.json.',
  )
  expect(describeUsedUp({ scope: 'server', limit: 1000 })).toContain('"maxTokensPerDay" in config.json')
  expect(amountText(12_300, 'money')).toBe('0.0123 USD')
  // Agents search errors for numbers that look like a transient failure's.
  for (const unit of ['tokens', 'money'] as const)
    expect(toldToAgents({ scope: 'execution', limit: 500_000, unit })).not.toMatch(/\d/)
})

test('money is tokens times their price, with cached input at its own', () => {
  const price = { input: 1.25, cachedInput: 0.125, output: 10 }
  expect(costMicros({ input: 1_000_000, output: 0 }, price)).toBe(1_250_000)
  expect(costMicros({ input: 1_000_000, cached: 1_000_000, output: 100_000 }, price)).toBe(125_000 + 1_000_000)
  expect(costMicros({ input: 100, cached: 40, output: 0 }, { input: 1, output: 1 })).toBe(100)
})
