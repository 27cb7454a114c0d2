import type { Session } from '@beadloom/core/records/session.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { expect, test } from 'vitest'
import { attemptsOf, attemptTitle, firstLines, lastFailure } from './attempts.ts'

const session = (number: number, kind: Session['kind'], attempt: number, given: Partial<Session> = {}) =>
  ({
    id: String(number),
    number,
    kind,
    attempt,
    tokens: { input: 10, output: 5 },
    startedAt: number * 100,
    endedAt: number * 100 + 50,
    ...given,
  }) as Session
const step = (attempt: number, passed: boolean, given: Partial<Verification> = {}) =>
  ({ attempt, passed, purpose: 'attempt', run: 1, step: 1, commit: 'c', verdict: null, ...given }) as Verification

test('sessions and steps are found at their attempt, the newest attempt first', () => {
  const sessions = [
    session(1, 'setup', 1),
    session(2, 'work', 1),
    session(3, 'verify', 1),
    session(4, 'work', 2, { endedAt: null }),
  ]
  const [second, first, ...none] = attemptsOf({ sessions, verifications: [step(1, false, { verdict: 'new' })] })
  expect(none).toEqual([])
  expect(second).toMatchObject({ number: 2, passed: null, checks: [], startedAt: 400, endedAt: null, tokens: 15 })
  expect(first).toMatchObject({ number: 1, passed: false, verdict: 'new', startedAt: 100, endedAt: 350, tokens: 45 })
  expect(first?.sessions.map(({ kind }) => kind)).toEqual(['setup', 'work', 'verify'])
})

test('an attempt without any session yet, and an execution without anything, have no times', () => {
  expect(attemptsOf({ sessions: [], verifications: [] })).toEqual([])
  expect(attemptsOf({ sessions: [], verifications: [step(1, true)] })[0]).toMatchObject({
    startedAt: null,
    endedAt: null,
    passed: true,
  })
})

test('the steps of one run are together and in order; a run passed when all of them did', () => {
  const [attempt] = attemptsOf({
    sessions: [],
    verifications: [step(1, false, { step: 2, name: 'test' }), step(1, true, { step: 1, name: 'build' })],
  })
  expect(attempt?.checks).toHaveLength(1)
  expect(attempt?.checks[0]).toMatchObject({ passed: false, run: 1 })
  expect(attempt?.checks[0]?.steps.map(({ name }) => name)).toEqual(['build', 'test'])
})

test('a check that passed its re-check on the same commit makes the attempt flaky, not failed', () => {
  const flaky = [step(1, false), step(1, true, { run: 2 })]
  expect(attemptsOf({ sessions: [], verifications: flaky })[0]).toMatchObject({ passed: true, flaky: true })
  const failed = [step(1, false), step(1, false, { run: 2 })]
  expect(attemptsOf({ sessions: [], verifications: failed })[0]).toMatchObject({ passed: false, flaky: false })
  const merged = [step(1, true), step(1, false, { purpose: 'merge', commit: 'd' })]
  expect(attemptsOf({ sessions: [], verifications: merged })[0]).toMatchObject({ passed: false, flaky: false })
})

test('the last failure is shown to a person, unless everything passed since', () => {
  expect(lastFailure([])).toBeNull()
  expect(lastFailure([step(1, false), step(2, true)])).toBeNull()
  expect(
    lastFailure([step(1, false, { name: 'old' }), step(2, true), step(2, false, { step: 2, name: 'lint' })]),
  ).toMatchObject({ name: 'lint' })
})

test('among several steps, new failures say more than the same ones, and those more than fewer', () => {
  const verdict = (...given: Verification['verdict'][]) =>
    attemptsOf({ sessions: [], verifications: given.map((one) => step(2, false, { verdict: one })) })[0]?.verdict
  expect(verdict('same', 'new', null)).toBe('new')
  expect(verdict('fewer', 'same')).toBe('same')
  expect(verdict(null, null)).toBeNull()
})

test('a long digest is cut to its first lines, and the omitted ones are counted', () => {
  expect(firstLines('a\nb\nc\n', 2)).toEqual({ text: 'a\nb', more: 1 })
  expect(firstLines('a\n', 2)).toEqual({ text: 'a', more: 0 })
})

test('an attempt has its number, and by a plan the phase of its tree', () => {
  const sessions = [session(1, 'work', 1), session(2, 'verify', 1), session(3, 'work', 2), session(4, 'work', 3)]
  const attempts = attemptsOf({ sessions, verifications: [] }).toReversed()
  const inPhases = [
    { id: '1' as Session['id'], phase: 1, role: 'subtask' as const, subtask: '1a', phaseAttempt: 1 },
    { id: '2' as Session['id'], phase: 1, role: 'check' as const, subtask: '', phaseAttempt: 1 },
    { id: '3' as Session['id'], phase: 1, role: 'fix' as const, subtask: '', phaseAttempt: 2 },
  ]
  expect(attempts.map((one) => attemptTitle(one))).toEqual(['Attempt 1', 'Attempt 2', 'Attempt 3'])
  // After the last phase come ordinary attempts.
  expect(attempts.map((one) => attemptTitle(one, inPhases))).toEqual([
    'Phase 1',
    'Phase 1, attempt 2, fixed',
    'Attempt 3',
  ])
})
