import { expect, test } from 'vitest'
import { tooLong } from './too-long.ts'

test('a text beyond the limit is counted, not cut', () => {
  expect(tooLong('abc', 3)).toBeNull()
  expect(tooLong('abcd', 3)).toBe('1 character too long: 3 is the most')
  expect(tooLong('a'.repeat(25_000), 20_000)).toMatch(/^5,000 characters too long: 20,000 is the most$/)
})
