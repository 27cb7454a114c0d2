import type { Session } from '@beadloom/core/records/session.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { expect, test } from 'vitest'
import { causeOf, compareAttempts, exitOf, spentByKind, tokensOf } from './attempt-compare.ts'
import { attemptsOf } from './attempts.ts'

const step = (attempt: number, given: Partial<Verification> = {}) =>
  ({
    attempt,
    passed: false,
    purpose: 'attempt',
    run: 1,
    step: 1,
    commit: 'c',
    verdict: null,
    digest: '\n  2 failed: date.test.ts\nmore\n',
    summary: '2 tests failed',
    exitCode: 2,
    fingerprint: `f${attempt}`,
    findings: [],
    ...given,
  }) as Verification
const session = (given: Partial<Session>) =>
  ({ kind: 'work', attempt: 1, tokens: { input: 10, output: 5 }, startedAt: 0, endedAt: 100, ...given }) as Session
const attempts = (verifications: Verification[], sessions: Session[] = []) => attemptsOf({ sessions, verifications })
const only = (verifications: Verification[], sessions: Session[] = []) => attempts(verifications, sessions)[0]!

test('the cause of a failed attempt is the beginning of its digest, or the words of the check or the session', () => {
  expect(causeOf(only([step(1)]))).toBe('2 failed: date.test.ts · more')
  expect(causeOf(only([step(1, { digest: '' })]))).toBe('2 tests failed')
  const dead = session({ outcome: 'crashed', detail: 'The container was killed.', exitCode: 137 } as Partial<Session>)
  expect(causeOf(only([], [dead]))).toBe('The container was killed.')
  expect(exitOf(only([], [dead]))).toBe(137)
  expect(exitOf(only([step(1)], [dead]))).toBe(2)
})

test('an attempt that passed, or passed its re-check, has no cause', () => {
  expect(causeOf(only([step(1, { passed: true })]))).toBeNull()
  expect(causeOf(only([step(1), step(1, { run: 2, passed: true })]))).toBeNull()
  expect(exitOf(only([step(1), step(1, { run: 2, passed: true })]))).toBeNull()
})

test('two attempts are compared by their failures, a finding as often as it occurs', () => {
  const [after, before] = attempts([
    step(1, { findings: ['type', 'type', 'gone'] }),
    step(2, { findings: ['type', 'fresh'] }),
  ])
  expect(compareAttempts(before!, after!)).toEqual({
    verdict: 'new',
    both: ['type'],
    onlyBefore: ['type', 'gone'],
    onlyAfter: ['fresh'],
  })
  const [same, as] = attempts([step(1, { fingerprint: 'f' }), step(2, { fingerprint: 'f' })])
  expect(compareAttempts(as!, same!).verdict).toBe('same')
  const [good, bad] = attempts([step(1), step(2, { passed: true })])
  expect(compareAttempts(bad!, good!).verdict).toBeNull()
})

test('times and tokens of an attempt are added up by their purpose', () => {
  const own = only(
    [],
    [
      session({ kind: 'setup', endedAt: 20 }),
      session({ startedAt: 20, endedAt: 50 }),
      session({ startedAt: 60, endedAt: null }),
    ],
  )
  expect(spentByKind(own, 100)).toEqual([
    { kind: 'setup', ms: 20 },
    { kind: 'work', ms: 70 },
  ])
  expect(tokensOf(own)).toEqual({ input: 30, output: 15 })
})
