import { expect, test } from 'vitest'
import { moneyText, sumOf, tokensInFull, tokensText } from './token-words.ts'

const limits = (execution: number | null) => ({ session: null, execution, day: null })

test('tokens are shown beside their limit, and unknown ones are not zero', () => {
  expect(tokensText({ tokens: { input: 12_000, output: 400 } })).toBe('12.4k')
  expect(tokensText({ tokens: { input: 12_000, output: 400 }, tokenLimits: limits(50_000) })).toBe('12.4k of 50k')
  expect(tokensText({ tokens: { input: 0, output: 0 } })).toBe('–')
  expect(tokensText({ tokens: { input: 0, output: 0 }, tokenLimits: limits(50_000) })).toBe('0 of 50k')
})

test('in full they say how many were cached, how many were thought, and the cost, as far as known', () => {
  expect(tokensInFull({ input: 1200, output: 30 })).toBe('1,200 in, 30 out')
  expect(tokensInFull({ input: 1200, cached: 1000, output: 30, reasoning: 20, costMicros: 1_230_000 }, 'EUR')).toBe(
    '1,200 in (1,000 cached), 30 out (20 thinking), €1.23',
  )
})

test('small amounts keep meaningful digits', () => {
  expect(moneyText(1234, 'USD')).toBe('$0.0012')
  expect(moneyText(0, 'USD')).toBe('$0.00')
})

test('a sum is known if one of its parts is', () => {
  expect(
    sumOf([
      { input: 1, output: 2 },
      { input: 3, output: 4, costMicros: 5 },
    ]),
  ).toEqual({
    input: 4,
    output: 6,
    costMicros: 5,
  })
})
