import { describe, expect, test } from 'vitest'
import { CHECKED, TESTS_KEPT } from '@beadloom/core/execution/allowed.ts'
import { JOINED, OWN_CHECKS } from '@beadloom/core/execution/next-step.ts'
import { NOTHING_ELSEWHERE } from '@beadloom/core/elsewhere/elsewhere-words.ts'
import { NO_SECRETS } from '@beadloom/core/secrets/secret-words.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { failedStep } from '@beadloom/core/testing/sample-follow-up.ts'
import { NO_TESTS } from '../../verify/no-steps.ts'
import { endOfAttempts, endOfOwnCheck, endOfStandstill, NOTHING_DONE, type WorkFacts } from './work-ends.ts'

const own = (name: string, patch: Partial<Verification> = {}) =>
  failedStep(2, { name, tool: OWN_CHECKS, exitCode: null, command: '', findings: ['a.ts: one', 'b.ts: two'], ...patch })
const command = (patch: Partial<Verification> = {}) => failedStep(2, { name: 'test', command: 'npm test', ...patch })

const facts = (rows: readonly Verification[], patch: Partial<WorkFacts> = {}): WorkFacts => ({
  branch: 'beadloom/bl-1',
  attempt: 2,
  maxSessions: 7,
  rows,
  settings: { image: 'node:24' } as ProjectSettings,
  conflict: null,
  ...patch,
})
const endOf = (...failures: Verification[]) => endOfOwnCheck(facts(failures), failures)

describe('the end of work that failed a check of our own', () => {
  test.each([
    [NO_TESTS, 'no_checks'],
    [NO_SECRETS, 'secrets_found'],
    [NOTHING_ELSEWHERE, 'runs_elsewhere'],
    [TESTS_KEPT, 'tests_weakened'],
    [CHECKED, 'not_checked'],
    [NOTHING_DONE, 'nothing_done'],
    [JOINED, 'push_conflict'],
  ])('%s is %s', (name, kind) => {
    expect(endOf(own(name))).toMatchObject({ state: 'FAILED', kind })
  })

  test('tells the attempt, the findings and the branch', () => {
    expect(endOf(own(NOTHING_ELSEWHERE))).toMatchObject({
      failure: { what: { attempts: 2, files: 'a.ts: one; b.ts: two' } },
      detail: expect.stringContaining('beadloom/bl-1'),
    })
    expect(endOf(own(CHECKED))).toMatchObject({ failure: { what: { parts: 'a.ts: one; b.ts: two' } } })
  })

  test("is not ours if one of the project's own checks failed, too: that one has to pass first", () => {
    for (const name of [NO_SECRETS, NOTHING_ELSEWHERE, TESTS_KEPT, CHECKED])
      expect(endOf(command(), own(name))).toBeNull()
  })

  test('is ours although another check failed, if there is no work, no test, or a conflict', () => {
    expect(endOf(command(), own(NOTHING_DONE))).toMatchObject({ kind: 'nothing_done' })
    expect(endOf(command(), own(NO_TESTS))).toMatchObject({ kind: 'no_checks' })
    expect(endOf(command(), own(JOINED))).toMatchObject({ kind: 'push_conflict' })
  })

  test('names a secret before all that a person might allow as well', () => {
    expect(endOf(own(TESTS_KEPT), own(NO_SECRETS))).toMatchObject({ kind: 'secrets_found' })
    expect(endOf(own(TESTS_KEPT), own(CHECKED))).toBeNull()
  })

  test("a project's check of the same name is the project's", () => {
    for (const name of [NO_SECRETS, NOTHING_ELSEWHERE, TESTS_KEPT, CHECKED, NOTHING_DONE, NO_TESTS, JOINED])
      expect(endOf(command({ name }))).toBeNull()
  })

  test('is none without a failure', () => {
    expect(endOf()).toBeNull()
  })
})

describe('a conflict that a person decides', () => {
  const conflict = { branch: 'main', files: ['a.ts', 'b.ts'] }
  const detailOf = (count: number, known: WorkFacts['conflict'] = conflict) => {
    const rows = Array.from({ length: count }, (_, at) => own(JOINED, { attempt: at + 1 }))
    return endOfAttempts(facts(rows, { conflict: known }), 'conflict').detail
  }

  test('names the files, and how often its agent was asked', () => {
    expect(detailOf(1)).toContain('ain has other changes in a.ts, b.ts')
    expect(detailOf(1)).not.toContain('join the two')
    expect(detailOf(2)).toContain('its agent did not join the two in one attempt')
    expect(detailOf(3)).toContain('its agent did not join the two in 2 attempts')
  })

  test('is told without files if they are not known', () => {
    expect(detailOf(1, null)).toContain('he work branch has other changes')
  })
})

describe('the end of an execution when no attempt follows', () => {
  test('names all failed commands, and the checks of ours that have none', () => {
    const failures = [command(), command({ step: 2, name: 'judge', command: '', type: 'custom' })]
    const rows = [1, 2].flatMap((run) => failures.map((row) => ({ ...row, run })))
    expect(endOfAttempts(facts(rows), 'attempts_used')).toMatchObject({
      kind: 'verification',
      failure: { what: { command: 'npm test, judge', attempts: 2, types: ['test', 'custom'] } },
      detail: expect.stringMatching(/ Its work is on the branch beadloom\/bl-1\.\n.*digest of attempt 2/s),
    })
  })

  test('is that of the check of ours which failed last', () => {
    expect(endOfAttempts(facts([own(TESTS_KEPT)]), 'attempts_used')).toMatchObject({ kind: 'tests_weakened' })
    expect(endOfAttempts(facts([own(CHECKED)]), 'not_checked')).toMatchObject({ kind: 'not_checked' })
  })

  test('is about the limit of sessions, whatever failed last', () => {
    expect(endOfAttempts(facts([own(TESTS_KEPT)]), 'sessions_used')).toMatchObject({
      failure: { what: { kind: 'too_many_sessions', sessions: 7 } },
    })
  })

  test('names the missing command', () => {
    const missing = command({ exitCode: 127, command: 'cargo test', digest: 'sh: cargo: not found' })
    expect(endOfAttempts(facts([missing]), 'command_missing')).toMatchObject({
      failure: { what: { kind: 'command_not_found', command: 'cargo test', program: 'cargo' } },
    })
  })

  test('at a standstill is that of a check of ours, if one failed: it says more', () => {
    expect(endOfStandstill(facts([own(TESTS_KEPT)]), 2)).toMatchObject({ kind: 'tests_weakened' })
    expect(endOfStandstill(facts([command()]), 2)).toMatchObject({ kind: 'no_progress' })
  })
})
