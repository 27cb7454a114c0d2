import type { SessionId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { isLong, messageStateText, speakerText } from './message-words.ts'
import { wallClockText } from '../../../ui/text/time-text.ts'

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

test('the words say when a waiting message is read, when it was, or that it never will be', () => {
  const at = Date.UTC(2026, 10, 30, 14, 5, 10)
  const delivered = { at, session: 'ex-1.2' as SessionId, through: 'gateway' } as const
  expect(messageStateText({ state: 'waiting', when: 'step' })).toBe('waiting: its agent reads it with its next step')
  expect(messageStateText({ state: 'waiting', when: 'turn' })).toBe('waiting: for the end of its turn')
  expect(messageStateText({ state: 'delivered', when: 'step', delivered })).toBe(
    `read by its agent, ${wallClockText(at)}`,
  )
  expect(messageStateText({ state: 'refused', when: 'step' })).toBe('not read: it ended before')
})

test('a text of many characters or lines is long', () => {
  expect([isLong('a'.repeat(600)), isLong('a\n'.repeat(5))]).toEqual([false, false])
  expect([isLong('a'.repeat(601)), isLong('a\n'.repeat(6))]).toEqual([true, true])
})
