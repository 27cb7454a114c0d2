import { describe, expect, test } from 'vitest'
import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { StopReason } from '../execution/stop.ts'
import { endOfStop, withMore } from './stopped-end.ts'

const notDone = ' Not done: subtask a "A" (1 of 2).'
const endOf = (stopped: StopReason, missing = '') =>
  endOfStop(stopped, {
    execution: { attempt: 2, maxAttempts: 3 },
    limits: { executionTimeoutMs: 7_200_000, inactivityTimeoutMs: 1_200_000 },
    notDone: missing,
  })

describe('an execution that was stopped', () => {
  test('by a person is cancelled, and nothing is missing from it', () => {
    expect(endOf({ stop: 'cancelled' }, notDone)).toEqual({ state: 'CANCELLED', detail: 'You stopped it.' })
  })

  test('by a clock names the limit that was reached', () => {
    expect(endOf({ stop: 'timeout', reason: 'silence' })).toEqual({
      state: 'TIMEOUT',
      reason: 'silence',
      detail: 'There was no output for 20 min (attempt 2 of 3).',
    })
    expect(endOf({ stop: 'timeout', reason: 'wall_clock' }, notDone)).toMatchObject({
      reason: 'wall_clock',
      detail: `It reached its time limit of 2 h (attempt 2 of 3).${notDone}`,
    })
  })

  test('by a limit of tokens, or a model that answers nothing, failed, and names what was not done', () => {
    const limit: UsedUp = { scope: 'execution', limit: 4 }
    expect(endOf({ stop: 'budget', limit }, notDone)).toMatchObject({
      kind: 'budget_exhausted',
      failure: { what: { limit } },
      detail: expect.stringContaining(notDone),
    })
    expect(endOf({ stop: 'unanswered', problem: 'it answered 500' }, notDone)).toMatchObject({
      kind: 'model_unanswered',
      detail: expect.stringMatching(/it answered 500.*Not done/i),
    })
  })

  test('with its server is left to the next one, which may retry it', () => {
    expect(endOf({ stop: 'detach' }, notDone)).toMatchObject({ kind: 'server_restarted' })
  })
})

test('more is added to the sentence of an end, before the digest below it', () => {
  expect(withMore({ state: 'CANCELLED', detail: 'One.' }, ' Two.').detail).toBe('One. Two.')
  expect(withMore({ state: 'CANCELLED', detail: 'One.\n3 tests failed\nmore' }, ' Two.').detail).toBe(
    'One. Two.\n3 tests failed\nmore',
  )
})
