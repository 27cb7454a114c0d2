import { digestText, type Digest } from '@beadloom/core/digest/digest-reader.ts'
import { unreadDigest } from '@beadloom/core/digest/unread.ts'
import type { StepType } from '@beadloom/core/digest/digest-tool.ts'
import type { ToolTests } from '@beadloom/core/digest/tests-run.ts'
import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { describe, expect, test } from 'vitest'
import { outcomeOfStep } from './step-outcome.ts'

const endOf = (type: StepType, exitCode: number) => ({
  step: { type, name: type, command: 'make it', timeoutMs: 1000 },
  number: 1,
  exitCode,
  durationMs: 5,
  digest: unreadDigest('the last line\n', { type }, exitCode),
})

/** The digest of output in which nothing was recognised. */
const noted = (type: StepType, exitCode: number): Digest => digestText('the last line\n', { type }, exitCode)

const failsOnBase: BaseCheck = {
  name: 'test',
  type: 'test',
  command: 'make it',
  passed: false,
  exitCode: 1,
  durationMs: 1,
  tool: 'generic',
  failures: 1,
  collected: null,
  summary: '',
  digest: '',
  findings: [],
}

test('a test command whose output nobody could read has not passed, whatever its exit code', () => {
  const outcome = outcomeOfStep(endOf('test', 0))
  expect(outcome).toMatchObject({ passed: false, exitCode: 0, summary: 'its output takes too much work to read' })
  expect(outcome.digest).toContain('the last line')
})

test('for a build and a linter the exit code is enough', () => {
  expect(outcomeOfStep(endOf('build', 0)).passed).toBe(true)
  expect(outcomeOfStep(endOf('lint', 1)).passed).toBe(false)
})

test('a Go module that has only benchmarks passes by its exit code, and says so', () => {
  const command = 'go test -v ./...'
  const text = 'testing: warning: no tests to run\nPASS\nok  \texample.com/shop/bench\t0.008s [no tests to run]\n'
  const step = { type: 'test' as const, name: 'test', command, timeoutMs: 1000 }
  const end = { step, number: 1, exitCode: 0, durationMs: 5, digest: digestText(text, { command, type: 'test' }, 0) }
  expect(outcomeOfStep(end)).toMatchObject({
    passed: true,
    summary: 'test passed by its exit code alone; there are benchmarks or examples, and no test to run',
  })
  const empty = digestText('?   \texample.com/shop\t[no test files]\n', { command, type: 'test' }, 0)
  expect(outcomeOfStep({ ...end, digest: empty })).toMatchObject({ passed: false, summary: 'no test ran' })
})

describe('a check that ended with 0', () => {
  const run = (patch: Partial<ToolTests> = {}): ToolTests => ({
    tool: 'vitest',
    ran: 3,
    passed: 3,
    units: [],
    unrun: [],
    stopped: false,
    failures: 0,
    ...patch,
  })
  const ended = (tests: ToolTests[], digest: Partial<Digest> = {}, type: StepType = 'test') => ({
    ...endOf(type, 0),
    digest: { ...noted(type, 0), tests, ...digest },
  })

  test('has failed if its runner reports failed tests: a command may hide their exit code', () => {
    expect(outcomeOfStep(ended([run({ failures: 2 })])).passed).toBe(false)
    expect(outcomeOfStep(ended([run(), run({ failures: 1 })])).passed).toBe(false)
    expect(outcomeOfStep(ended([run({ failures: 2 })], {}, 'lint')).passed).toBe(true)
  })

  test('has failed if no test ran, and the next attempt hears what to do', () => {
    const outcome = outcomeOfStep(ended([run({ ran: 0, passed: 0 })], { collected: 0 }))
    expect(outcome).toMatchObject({ passed: false, summary: 'no test ran', fingerprint: 'no test ran' })
    expect(outcome.digest).toContain('Add tests that it finds')
  })

  test('has failed if some tests did not finish, unless they did not finish on the base either', () => {
    const open = ended([run({ unrun: ['a.test.ts', 'b.test.ts'] })])
    expect(outcomeOfStep(open)).toMatchObject({
      passed: false,
      summary: 'the tests of a.test.ts, b.test.ts did not finish',
    })
    const base = (unrun: string[]) => [{ ...failsOnBase, tests: [run({ unrun })] }]
    expect(outcomeOfStep(open, undefined, base(['a.test.ts']))).toMatchObject({
      passed: false,
      summary: 'the tests of b.test.ts did not finish',
    })
    expect(outcomeOfStep(open, undefined, base(['a.test.ts', 'b.test.ts'])).passed).toBe(true)
  })

  test('says when only its exit code speaks for it', () => {
    expect(outcomeOfStep(ended([])).summary).toContain('passed by its exit code alone; no test runner')
    expect(outcomeOfStep(ended([run()], { tool: 'vitest', summary: '3 tests passed' })).summary).toBe('3 tests passed')
    expect(outcomeOfStep(ended([], {}, 'build')).summary).toBe('build passed')
  })

  test('is not measured by the base, where it failed', () => {
    const base = [{ ...failsOnBase, type: 'build' as const, name: 'build' }]
    expect(outcomeOfStep(ended([], {}, 'build'), undefined, base)).not.toHaveProperty('onBase')
  })

  test('keeps nothing of its output that looks like a failure', () => {
    const outcome = outcomeOfStep(ended([run()], { failures: 4, digest: 'noise', findings: ['f'], fingerprint: 'f' }))
    expect(outcome).toMatchObject({ passed: true, failures: 0, digest: '', findings: [], fingerprint: '' })
  })
})

describe('a check that failed', () => {
  const failed = (exitCode: number | null, known?: Digest['known']) => ({
    ...endOf('lint', 1),
    exitCode,
    digest: { ...noted('lint', 1), tool: 'eslint', findings: ['f'], fingerprint: 'f', ...(known && { known }) },
  })
  const base = [
    { ...failsOnBase, type: 'lint' as const, name: 'lint', tool: 'eslint', findings: ['f'], exitCode: null },
  ]

  test('is not counted if it shows no more than the base does', () => {
    expect(outcomeOfStep(failed(1, { left: 1, only: true }), undefined, base)).toMatchObject({
      passed: true,
      onBase: true,
      exitCode: 1,
      fingerprint: '',
      summary: expect.stringMatching(/^fails on the base too: /),
    })
    expect(outcomeOfStep(failed(1, { left: 1, only: false }), undefined, base)).toMatchObject({ passed: false })
    expect(outcomeOfStep(failed(1, { left: 1, only: true }))).not.toHaveProperty('onBase')
  })

  test('counts if its session broke off meanwhile: nobody knows the rest', () => {
    const outcome = outcomeOfStep(failed(null, { left: 1, only: true }), 'the container was killed', base)
    expect(outcome).toMatchObject({ passed: false, summary: 'the container was killed.' })
    expect(outcome).not.toHaveProperty('onBase')
    expect(outcome.digest).toMatch(/^the container was killed\.\n/)
  })

  test('says its limit if it did not end in time', () => {
    expect(outcomeOfStep(failed(null))).toMatchObject({ passed: false, summary: 'It did not end within 1 s.' })
  })
})
