import { describe, expect, test } from 'vitest'
import { beadStatuses, transitionBead, type BeadStatus } from '../records/bead.ts'
import { terminalStates, type Execution } from '../records/execution.ts'
import { parseExecutionId } from '../records/ids.ts'
import { sampleRecord } from '../testing/sample-views.ts'
import { afterEnd, isClosed } from './after-end.ts'

const ended = (over: Parameters<typeof sampleRecord>[0]) => sampleRecord({ startedAt: 1, attempt: 1, ...over })
const after = (
  execution: Execution,
  status: BeadStatus = 'in_progress',
  isEdited = false,
  trackerStatus = status as string,
) => afterEnd(execution, { status, trackerStatus }, [execution], isEdited)

describe('an end moves its bead', () => {
  test.each([
    ['COMPLETED', null, 'done'],
    ['FAILED', 'tests_failed', 'in_progress'],
    ['BLOCKED', null, 'blocked'],
    ['TIMEOUT', 'silence', 'timeout'],
  ] as const)('%s', (state, reason, status) => {
    const does = after(ended({ state, reason: reason as Execution['reason'] }))
    if (does.do !== 'move') throw new Error('it moves nothing')
    expect(transitionBead('in_progress', does.event)).toBe(status)
  })

  test('a cancelled one becomes what it was before, also a failed one', () => {
    const cancelled = ended({ state: 'CANCELLED', formerBeadStatus: 'blocked' })
    expect(after(cancelled)).toEqual({ do: 'move', event: { type: 'cancelled', former: 'blocked', failed: false } })
    const failed = ended({ state: 'CANCELLED', formerBeadStatus: 'in_progress', formerFailed: true })
    expect(after(failed)).toMatchObject({ event: { former: 'in_progress', failed: true } })
  })

  test('a failure of the surroundings, before anything was tried, opens it again', () => {
    const unstarted = ended({ state: 'FAILED', reason: 'infra_error', attempt: 0 })
    expect(after(unstarted)).toEqual({ do: 'move', event: { type: 'unstarted' } })
    expect(after({ ...unstarted, attempt: 1 })).toEqual({ do: 'move', event: { type: 'failed' } })
  })

  test('an execution that has not ended moves nothing', () => {
    expect(() => after(ended({ state: 'RUNNING' }))).toThrow('has not ended')
  })
})

test('an end that was carried out before a crash is not carried out again', () => {
  for (const [state, status] of [
    ['COMPLETED', 'done'],
    ['BLOCKED', 'blocked'],
    ['TIMEOUT', 'timeout'],
  ] as const)
    expect(after(ended({ state }), status)).toEqual({ do: 'nothing' })
})

test('a bead that stays in progress is moved once more: its claim may not be given back yet', () => {
  expect(after(ended({ state: 'FAILED', reason: 'tests_failed' as Execution['reason'] }))).toEqual({
    do: 'move',
    event: { type: 'failed' },
  })
})

describe('a bead that was edited while it ran', () => {
  test('is for a person when its work is done', () => {
    expect(after(ended({ state: 'COMPLETED' }), 'in_progress', true)).toEqual({ do: 'outdated' })
  })

  test('is not if the person closed it, or its tracker dropped it', () => {
    expect(after(ended({ state: 'COMPLETED' }), 'done', true)).toEqual({ do: 'nothing' })
    expect(after(ended({ state: 'COMPLETED' }), 'in_progress', true, 'tombstone')).toMatchObject({ do: 'move' })
  })

  test('ends as any other when its work is not done', () => {
    for (const state of terminalStates)
      if (state !== 'COMPLETED') expect(after(ended({ state }), 'in_progress', true).do).toBe('move')
  })
})

describe('a bead with a newer execution', () => {
  const old = ended({ state: 'FAILED', id: 'ex-0000000001' })
  const newer = (over: Partial<Execution>) => ({ ...old, id: parseExecutionId('ex-0000000002'), startedAt: 2, ...over })
  const does = (...others: Execution[]) =>
    afterEnd(old, { status: 'in_progress', trackerStatus: '' }, [...others, old], false).do

  test('belongs to that one as soon as it has started', () => {
    expect(does(newer({}))).toBe('nothing')
    expect(does(newer({ startedAt: null }))).toBe('move')
  })

  test('does not belong to a review or a plan', () => {
    expect(does(newer({ kind: 'review' }), newer({ kind: 'plan' }))).toBe('move')
    expect(does(newer({ kind: 'review' }), newer({}))).toBe('nothing')
  })
})

test('a closed bead is one that is done, or that its tracker keeps as a tombstone', () => {
  for (const status of beadStatuses) {
    expect(isClosed({ status, trackerStatus: status })).toBe(status === 'done')
    expect(isClosed({ status, trackerStatus: 'tombstone' })).toBe(true)
  }
})
