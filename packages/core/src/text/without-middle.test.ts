import { expect, test } from 'vitest'
import { withoutMiddle } from './without-middle.ts'

test('a text that is too long keeps its beginning and its end, and says how much is missing', () => {
  expect(withoutMiddle('abcdef', 6)).toBe('abcdef')
  expect(withoutMiddle('abcdefgh', 6)).toBe('abc\n… (2 characters left out) …\nfgh')
  expect(withoutMiddle('ab😀cdefg😀h', 6).isWellFormed()).toBe(true)
})
