import { expect, test } from 'vitest'
import { cutMiddle } from './cut-middle.ts'

test('a text that is too long keeps its beginning and its end, and says how much is missing', () => {
  expect(cutMiddle('abcdef', 6)).toBe('abcdef')
  expect(cutMiddle('abcdefgh', 6)).toBe('abc\n[… 2 characters left out …]\nfgh')
  expect(cutMiddle('ab😀cdefg😀h', 6).isWellFormed()).toBe(true)
})
