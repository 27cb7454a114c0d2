import { expect, test } from 'vitest'
import { shortened } from './shortened.ts'

test('a text that is too long ends after a whole word, with an ellipsis', () => {
  expect(shortened('one two three', 13)).toBe('one two three')
  expect(shortened('one two three', 12)).toBe('one two…')
})

test('a word without an end is cut inside, and no surrogate pair is split', () => {
  expect(shortened('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}…`)
  expect(shortened(`a ${'x'.repeat(100)}`, 10)).toBe(`a ${'x'.repeat(7)}…`)
  expect(shortened('12345678😀😀😀', 10).isWellFormed()).toBe(true)
})
