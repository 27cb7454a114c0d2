import { expect, test } from 'vitest'
import { CliError } from '../exit-code.ts'
import { grantOf } from './budget-answers.ts'

test('a grant is tokens, money or both', () => {
  expect(grantOf({ tokens: '200000' })).toEqual({ tokens: 200_000 })
  expect(grantOf({ money: '2.50' })).toEqual({ money: 2.5 })
  expect(grantOf({ tokens: '1', money: '1' })).toEqual({ tokens: 1, money: 1 })
})

test.each([
  {},
  { tokens: '0' },
  { tokens: '-5' },
  { tokens: '1.5' },
  { tokens: '1e9' },
  { tokens: 'NaN' },
  { tokens: '9'.repeat(30) },
  { money: '0' },
  { money: '-1' },
  { money: 'NaN' },
  { money: 'Infinity' },
  { money: '1e3' },
  { money: '9999999' },
  { tokens: '5', money: '' },
])('%j is refused as a grant, with the reason', (given) => {
  expect(() => grantOf(given)).toThrow(CliError)
})
