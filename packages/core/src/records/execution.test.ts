import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bringsWork,
  canCancel,
  canMove,
  executionStates,
  isTerminal,
  statesBefore,
  terminalStates,
  transitionExecution,
} from './execution.ts'
import type { ExecutionEnd, ExecutionEvent, ExecutionState } from './execution.ts'

const ends: ExecutionEnd[] = [
  { state: 'COMPLETED', commit: 'c0ffee', detail: '' },
  { state: 'FAILED', reason: 'tests_failed', detail: '' },
  { state: 'BLOCKED', blockedReason: 'no access', detail: '' },
  { state: 'TIMEOUT', reason: 'silence', detail: '' },
  { state: 'CANCELLED', detail: '' },
]
const events: ExecutionEvent[] = [{ type: 'started' }, ...ends.map((end) => ({ type: 'ended', end }) as const)]
const targetOf = (event: ExecutionEvent): ExecutionState => (event.type === 'started' ? 'RUNNING' : event.end.state)

/** All moves there are. */
const allowed = new Set([
  'QUEUED→RUNNING',
  'QUEUED→CANCELLED',
  'RUNNING→COMPLETED',
  'RUNNING→FAILED',
  'RUNNING→BLOCKED',
  'RUNNING→TIMEOUT',
  'RUNNING→CANCELLED',
])

describe('an execution’s state', () => {
  const cases = executionStates.flatMap((from) => events.map((event) => ({ from, event, to: targetOf(event) })))

  test.each(cases)('$from → $to', ({ from, event, to }) => {
    const next = transitionExecution(from, event)
    if (allowed.has(`${from}→${to}`)) expect(next).toBe(to)
    else expect(next).toEqual({ refused: `an execution that is ${from} cannot become ${to}` })
    expect(canMove(from, to)).toBe(allowed.has(`${from}→${to}`))
  })

  test('is terminal exactly if nothing follows', () => {
    for (const state of executionStates) {
      expect(isTerminal(state)).toBe(executionStates.every((to) => !canMove(state, to)))
    }
    expect(executionStates.filter(isTerminal)).toEqual([...terminalStates])
  })

  test('has the preceding states that the guarded SQL needs', () => {
    expect(statesBefore('RUNNING')).toEqual(['QUEUED'])
    expect(statesBefore('CANCELLED')).toEqual(['QUEUED', 'RUNNING'])
    expect(statesBefore('COMPLETED')).toEqual(['RUNNING'])
    expect(statesBefore('QUEUED')).toEqual([])
  })

  test('can be cancelled while it lives, and not after', () => {
    expect(executionStates.filter(canCancel)).toEqual(['QUEUED', 'RUNNING'])
  })
})

/**
 * Compares the machine with a model that remembers only two facts: whether it was started, and its first end. Both must
 * agree even if events come late, twice or out of order.
 */
class Model {
  started = false
  end: ExecutionState | null = null
}
class Real {
  state: ExecutionState = 'QUEUED'
}

class Send implements fc.Command<Model, Real> {
  readonly event: ExecutionEvent
  constructor(event: ExecutionEvent) {
    this.event = event
  }
  check = () => true
  run(model: Model, real: Real): void {
    const next = transitionExecution(real.state, this.event)
    const to = targetOf(this.event)
    const moves = model.end === null && (to === 'RUNNING' ? !model.started : to === 'CANCELLED' || model.started)
    expect(typeof next === 'string').toBe(moves)
    if (typeof next !== 'string') return
    real.state = next
    if (to === 'RUNNING') model.started = true
    else model.end = to
    expect(real.state).toBe(model.end ?? 'RUNNING')
  }
  toString = () => targetOf(this.event)
}

test('any order of events leaves one end, and the first one stays', () => {
  const commands = events.map((event) => fc.constant(new Send(event)))
  fc.assert(
    fc.property(fc.commands(commands, { maxCommands: 30 }), (sequence) => {
      fc.modelRun(() => ({ model: new Model(), real: new Real() }), sequence)
    }),
    { numRuns: 300 },
  )
})

test('a branch needs fetching only if an agent may have added something that was not published', () => {
  const failed = { kind: 'work', state: 'FAILED', reason: 'tests_failed', attempt: 3, baseCommit: 'c0ffee' } as const
  expect(bringsWork(failed)).toBe(true)
  expect(bringsWork({ ...failed, state: 'CANCELLED', reason: null })).toBe(true)
  expect(bringsWork({ ...failed, state: 'COMPLETED', reason: null })).toBe(false)
  expect(bringsWork({ ...failed, reason: 'infra_error', attempt: 0 })).toBe(false)
  expect(bringsWork({ ...failed, reason: 'nothing_committed' })).toBe(false)
  expect(bringsWork({ ...failed, kind: 'review' })).toBe(false)
})
