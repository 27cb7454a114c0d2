import { describe, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { reviewRefusal, reviewState } from './review-state.ts'
import { issueOf, reviewOf } from './testing.ts'

const execution = (state: string, more: object = {}) =>
  ({
    id: 'ex-0000000002',
    kind: 'review',
    state,
    queuedAt: 5000,
    startedAt: null,
    cancelRequestedAt: null,
    ...more,
  }) as ExecutionView
const queue = (position: number, text: string | null) =>
  [
    {
      execution: 'ex-0000000002',
      project: 'demo',
      bead: 'bl-1',
      position,
      reason: text === null ? null : { code: 'slots_in_use', text },
    },
  ] as ServerStatus['queue']

describe('the words on the button', () => {
  test('mention no review before there is one', () => {
    expect(reviewState(null, null, [])).toEqual({ is: 'none' })
  })

  test('are the place in the queue, and why it waits', () => {
    expect(reviewState(null, execution('QUEUED'), queue(2, '3 of 3 slots in use'))).toMatchObject({
      is: 'queued',
      id: 'ex-0000000002',
      text: 'Queued 2nd',
      why: '3 of 3 slots in use',
    })
    expect(reviewState(null, execution('QUEUED'), [])).toMatchObject({
      text: 'Queued',
      why: expect.stringMatching(/slot/),
    })
  })

  test('number the place as people write it: 11th, 21st', () => {
    const text = (position: number) => reviewState(null, execution('QUEUED'), queue(position, null))
    expect([1, 3, 11, 12, 13, 21, 22, 111].map((n) => text(n))).toMatchObject(
      ['1st', '3rd', '11th', '12th', '13th', '21st', '22nd', '111th'].map((word) => ({ text: `Queued ${word}` })),
    )
  })

  test('are the start time while it runs, even if the review was read before it began', () => {
    const running = execution('RUNNING', { startedAt: 7000 })
    const before = reviewOf({ id: 'ex-0000000002', state: 'QUEUED', verdict: null, startedAt: null, endedAt: null })
    expect(reviewState(before, running, [])).toEqual({
      is: 'running',
      id: 'ex-0000000002',
      startedAt: 7000,
      stopping: false,
    })
    const stopped = execution('RUNNING', { startedAt: 7000, cancelRequestedAt: 8000 })
    expect(reviewState(null, stopped, [])).toMatchObject({ stopping: true })
  })

  test('do not jump to a result that has not been read yet', () => {
    const before = reviewOf({ state: 'RUNNING', verdict: null, endedAt: null })
    const ended = execution('COMPLETED', { id: before.id, startedAt: 2000 })
    expect(reviewState(before, ended, [])).toMatchObject({ is: 'running' })
  })

  test('are the result: how many issues, how many are left, or that it is ready', () => {
    const text = (given: object) => reviewState(reviewOf(given), null, [])
    expect(text({})).toMatchObject({ is: 'ended', end: 'not_ready', text: '2 issues', moved: false })
    expect(text({ issues: [issueOf(1)] })).toMatchObject({ text: '1 issue' })
    expect(text({ issues: [issueOf(1), issueOf(2, { beadStatus: 'done' })] })).toMatchObject({
      text: '1 of 2 issues open',
    })
    expect(text({ issues: [issueOf(1, { dismissed: 'so' })] })).toMatchObject({ text: '1 issue, none open' })
    expect(text({ issues: [] })).toMatchObject({ text: 'Not ready' })
    expect(text({ verdict: 'ready', issues: [] })).toMatchObject({ end: 'ready', text: 'Ready', tone: 'completed' })
    expect(text({ verdict: 'unparseable', issues: [] })).toMatchObject({ end: 'unparseable', tone: 'failed' })
  })

  test('are its failure with the sentence, whatever it had found until then', () => {
    for (const state of ['FAILED', 'TIMEOUT', 'BLOCKED'] as const)
      expect(reviewState(reviewOf({ state, verdict: null, detail: 'Out of memory.' }), null, [])).toMatchObject({
        end: 'failed',
        text: 'Review failed',
        why: 'Out of memory.',
      })
    expect(reviewState(reviewOf({ state: 'CANCELLED', verdict: null }), null, [])).toMatchObject({ end: 'cancelled' })
  })

  test('say that the branch has moved only if that was looked up', () => {
    expect(reviewState(reviewOf({ current: false }), null, [])).toMatchObject({ moved: true })
    expect(reviewState(reviewOf({ current: null }), null, [])).toMatchObject({ moved: false })
  })
})

test('a bead can be reviewed when it has run and does not run', () => {
  expect(reviewRefusal('bl-1', null)).toMatch(/has not run yet/)
  expect(reviewRefusal('bl-1', execution('CANCELLED'))).toMatch(/has not run yet/) // removed from the queue
  expect(reviewRefusal('bl-1', execution('RUNNING', { startedAt: 1 }))).toMatch(/still running/)
  expect(reviewRefusal('bl-1', execution('FAILED', { startedAt: 1 }))).toBeNull()
  expect(reviewRefusal('bl-1', undefined)).toBeNull()
})
