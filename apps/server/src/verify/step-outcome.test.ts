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

test('a test command whose output nobody could read has not passed, whatever it ends with', () => {
  const outcome = outcomeOfStep(endOf('test', 0))
  expect(outcome).toMatchObject({ passed: false, exitCode: 0, summary: 'its output takes too much work to read' })
  expect(outcome.digest).toContain('the last line')
})

test('of a build and a linter the exit code says enough', () => {
  expect(outcomeOfStep(endOf('build', 0)).passed).toBe(true)
  expect(outcomeOfStep(endOf('lint', 1)).passed).toBe(false)
})
