import { expect, test } from 'vitest'
import { asSentence } from './sentence.ts'

test('a sentence begins with a capital letter and ends with a full stop, unless it ends already', () => {
  expect(asSentence('no space left on device')).toBe('No space left on device.')
  expect(asSentence('Why?')).toBe('Why?')
  expect(asSentence('it stopped.')).toBe('It stopped.')
  expect(asSentence('')).toBe('')
})
