import { expect, test } from 'vitest'
import { freshStartWish, freshStartWords } from './fresh-starts-choice.ts'

test('untouched fields are not sent, nor fields that the agent does not have', () => {
  expect(freshStartWish('usual', 'openai')).toEqual({})
  expect(freshStartWish('3', 'codex')).toEqual({})
  expect(freshStartWish('3', 'openai')).toEqual({ retryOnFailure: true, maxRetries: 3 })
  expect(freshStartWish('none', 'openai')).toEqual({ retryOnFailure: false })
})

test('the first choice says what the project does', () => {
  expect(freshStartWords('usual', undefined)).toBe('Project default: none')
  expect(freshStartWords('usual', { freshStarts: { retryOnFailure: false, maxRetries: 3 } })).toBe(
    'Project default: none',
  )
  expect(freshStartWords('usual', { freshStarts: { retryOnFailure: true, maxRetries: 2 } })).toBe(
    'Project default: up to 2',
  )
  expect(freshStartWords('5', undefined)).toBe('Up to 5')
})
