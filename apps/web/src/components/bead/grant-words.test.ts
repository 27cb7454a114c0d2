import { expect, test } from 'vitest'
import { readGrant, usualGrant } from './grant-words.ts'

test('a grant may be typed as people write numbers', () => {
  expect(readGrant('200000', 'tokens')).toEqual({ tokens: 200_000 })
  expect(readGrant(' 200,000 ', 'tokens')).toEqual({ tokens: 200_000 })
  expect(readGrant('2.50', 'money')).toEqual({ money: 2.5 })
  expect(readGrant('1,000', 'money')).toEqual({ money: 1000 })
})

test.each(['', '0', '-5', '1.5', '1e9', 'many', '9'.repeat(40)])('%j is no number of tokens', (typed) => {
  expect(readGrant(typed, 'tokens')).toEqual({ wrong: expect.stringMatching(/whole number of tokens/) })
})

test.each(['', '0', '0.00001', '-1', '1e3', 'NaN', '10000000'])('%j is no amount of money', (typed) => {
  expect(readGrant(typed, 'money')).toEqual({ wrong: expect.stringMatching(/amount such as/) })
})

test('the field begins with the same amount again', () => {
  expect(usualGrant({ unit: 'tokens', limit: 100_000 })).toBe('100000')
  expect(usualGrant({ unit: 'money', limit: 2_500_000 })).toBe('2.5')
})
