import type { Session } from '@beadloom/core/records/session.ts'
import type { SessionContext } from '@beadloom/core/context/context-gauge.ts'
import { expect, test } from 'vitest'
import { contextInFull, contextNow, contextPeak, contextText, fullnessOf } from './context-words.ts'

const context = (tokens: number, given: Partial<SessionContext> = {}): SessionContext => ({
  tokens,
  window: 200_000,
  peak: tokens,
  compactions: 0,
  ...given,
})
const session = (state: Session['state'], its?: SessionContext) =>
  ({ state, ...(its && { context: its }) }) as unknown as Session

test('a running execution shows the fullest context of its working agents', () => {
  const sessions = [
    session('ended', context(190_000)),
    session('running', context(20_000)),
    session('running', context(60_000)),
    session('running'),
  ]
  expect(contextNow({ sessions })?.tokens).toBe(60_000)
  expect(contextNow({ sessions: sessions.slice(0, 1) })).toBeNull()
  expect(contextNow({ sessions: [session('running')] })).toBeNull()
})

test('a finished execution shows the fullest context that any had', () => {
  const sessions = [
    session('ended', context(30_000, { peak: 188_000, compactions: 1 })),
    session('ended', context(90_000)),
  ]
  expect(contextPeak({ sessions })).toMatchObject({ tokens: 188_000, compactions: 1 })
  expect(contextPeak({ sessions: [] })).toBeNull()
})

test('the context is shown in percent, and in full with the number of compactions', () => {
  expect(contextText(context(128_400))).toBe('64%')
  expect(contextInFull(context(128_400))).toBe('128,400 of the 200,000 tokens that its model takes')
  expect(contextInFull(context(1000, { compactions: 2 }))).toMatch(/; compacted twice$/)
  expect([fullnessOf(context(138_000)), fullnessOf(context(140_000)), fullnessOf(context(180_000))]).toEqual([
    'roomy',
    'near',
    'full',
  ])
})
