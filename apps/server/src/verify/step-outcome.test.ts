import { digestText } from '@beadloom/core/digest/digest-reader.ts'
import { unreadDigest } from '@beadloom/core/digest/unread.ts'
import type { StepType } from '@beadloom/core/digest/digest-tool.ts'
import { expect, test } from 'vitest'
import { outcomeOfStep } from './step-outcome.ts'

const endOf = (type: StepType, exitCode: number) => ({
  step: { type, name: type, command: 'make it', timeoutMs: 1000 },
  number: 1,
  exitCode,
  durationMs: 5,
  digest: unreadDigest('the last line\n', { type }, exitCode),
})

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
