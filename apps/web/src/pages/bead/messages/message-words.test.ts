import { expect, test } from 'vitest'
import { isLong, speakerText } from './message-words.ts'

const token = { name: 'token', by: 'token', people: false } as const
const ada = { name: 'ada', by: 'oidc', people: true } as const

test('a message is by the person at the page, by another one, or by somebody with the access token', () => {
  expect(speakerText('ada', ada)).toBe('You')
  expect(speakerText('grace', ada)).toBe('grace')
  expect(speakerText('', ada)).toBe('Somebody with the access token')
  expect(speakerText('', token)).toBe('You')
  expect(speakerText('', { ...token, people: true })).toBe('Somebody with the access token')
  expect(speakerText('', undefined)).toBe('Somebody with the access token')
  expect(speakerText('token', token)).toBe('token')
  expect(speakerText('ad\u202ea', ada)).toBe('ad‹U+202E›a')
})

test('a text of many characters or lines is long', () => {
  expect([isLong('a'.repeat(600)), isLong('a\n'.repeat(5))]).toEqual([false, false])
  expect([isLong('a'.repeat(601)), isLong('a\n'.repeat(6))]).toEqual([true, true])
})
