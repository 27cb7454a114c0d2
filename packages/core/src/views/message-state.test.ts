import { expect, test } from 'vitest'
import { parseSessionId } from '../records/ids.ts'
import { messageStateText } from './message-state.ts'

test('the words say when a waiting message is read, when and how it was, or that it never will be', () => {
  const timeText = (at: number) => `at ${at}`
  const session = parseSessionId('ex-0123456789.2')
  const delivered = { at: 5, session, through: 'gateway' } as const
  const told = (message: Parameters<typeof messageStateText>[0]) => messageStateText(message, timeText)
  expect(told({ state: 'waiting', when: 'step' })).toBe('waiting: its agent reads it with its next step')
  expect(told({ state: 'waiting', when: 'turn' })).toBe('waiting: for the end of its turn')
  expect(told({ state: 'waiting', when: 'step', to: session })).toBe('waiting: for the agent of session 2')
  expect(told({ state: 'delivered', when: 'step', delivered })).toBe('read by its agent, at 5, added by the gateway')
  expect(told({ state: 'delivered', when: 'step', to: session, delivered: { ...delivered, through: 'prompt' } })).toBe(
    'read by the agent of session 2, at 5, in its prompt',
  )
  expect(told({ state: 'refused', when: 'step' })).toBe('not read: it ended before')
})
