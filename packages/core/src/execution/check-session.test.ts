import { describe, expect, test } from 'vitest'
import { cameTo, checkOfSession } from './check-session.ts'
import { sampleSession, sampleStep } from '../testing/sample-views.ts'
import type { Session } from '../records/session.ts'
import type { SessionId } from '../records/ids.ts'

const id = (number: number) => `ex-0000000001.${number}` as SessionId
const session = (number: number, kind: 'work' | 'verify' = 'verify', attempt = 1, outcome: Session['outcome'] = null) =>
  sampleSession({ id: id(number), number, kind, attempt, outcome })
const step = (number: number, over: Partial<Parameters<typeof sampleStep>[0]> = {}) =>
  sampleStep({ session: id(number), ...over })

const sessions = [session(1, 'work'), session(2), session(3), session(4)]
const told = (number: number, verifications: ReturnType<typeof step>[]) =>
  checkOfSession(sessions[number - 1]!, { sessions, verifications })

describe('a session of checks', () => {
  test('is known by its own steps if it has some', () => {
    const rows = [step(2, { passed: false }), step(3, { run: 2 }), step(4, { purpose: 'merge' })]
    expect(told(1, rows)).toBeNull()
    expect(told(2, rows)).toEqual({ purpose: 'attempt', repeated: false })
    expect(told(3, rows)).toEqual({ purpose: 'attempt', repeated: true })
    expect(told(4, rows)).toEqual({ purpose: 'merge', repeated: false })
  })

  test('while it runs, is the repetition of a failed one, or the merge after a passed one', () => {
    expect(told(2, [])).toEqual({ purpose: 'attempt', repeated: false })
    expect(told(3, [step(2, { passed: false }), step(2, { step: 2 })])).toEqual({ purpose: 'attempt', repeated: true })
    expect(told(3, [step(2)])).toEqual({ purpose: 'merge', repeated: false })
    const merge = [step(2), step(3, { purpose: 'merge', passed: false })]
    expect(told(4, merge)).toEqual({ purpose: 'merge', repeated: true })
  })

  test('that ended without results of its own counts as the tests before', () => {
    const ended = session(3, 'verify', 1, 'failed')
    expect(checkOfSession(ended, { sessions, verifications: [step(2)] })).toEqual({
      purpose: 'original',
      repeated: false,
    })
    const lost = session(3, 'verify', 1, 'infra_error')
    expect(checkOfSession(lost, { sessions, verifications: [step(2)] })).toMatchObject({ purpose: 'merge' })
  })

  test('without results (its container broke) does not make the next one a repetition', () => {
    expect(told(3, [])).toEqual({ purpose: 'attempt', repeated: false })
  })

  test('repeats nothing of the attempt before', () => {
    const second = session(5, 'verify', 2)
    const all = { sessions: [...sessions, second], verifications: [step(2, { passed: false }), step(3, { run: 2 })] }
    expect(checkOfSession(second, all)).toEqual({ purpose: 'attempt', repeated: false })
  })
})

describe('the result of a session', () => {
  const ended = (outcome: Session['outcome'], kind: 'work' | 'verify' = 'verify') =>
    sampleSession({ id: id(2), kind, outcome })
  const came = (one: ReturnType<typeof ended>, ...passed: boolean[]) =>
    cameTo(one, { verifications: [step(3, { passed: false }), ...passed.map((is) => step(2, { passed: is }))] })

  test('is that of its checks, however its commands ended', () => {
    expect(came(ended('failed'), true, true)).toBe('success')
    expect(came(ended('failed'), true, false)).toBe('failed')
    expect(came(ended('success'), true, false)).toBe('failed')
  })

  test('is its end, if no check has said anything', () => {
    expect(came(ended('failed'))).toBe('failed')
    expect(came(ended(null))).toBeNull()
    expect(came(ended('timeout'), true)).toBe('timeout')
    expect(came(ended('infra_error'), false)).toBe('infra_error')
    expect(came(ended('success', 'work'), false)).toBe('success')
  })

  test('is no failure if new tests fail without the change', () => {
    expect(cameTo(ended('failed'), { verifications: [], redGreen: { session: id(2) } })).toBe('success')
  })
})
