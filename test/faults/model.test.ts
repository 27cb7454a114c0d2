import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { ExecutionEnd, ExecutionState } from '@beadloom/core/records/execution.ts'
import { newExecutionId, sessionIdOf, type ExecutionId, type SessionId } from '@beadloom/core/records/ids.ts'
import type { SessionOutcome, SessionState } from '@beadloom/core/records/session.ts'
import { pipelineOrder } from '@beadloom/server/src/ports/store/executions.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { bead, demo, openTestStore, seededRandom, stepClock, world } from '@beadloom/server/src/store/testing.ts'
import { isLong, seed, sized } from '../crash/size.ts'

/*
 * People, the daemon and crashes act in random order. The store's state machines must agree with those that are written
 * here once more, as short as possible.
 */

const ends: Record<string, ExecutionEnd> = {
  COMPLETED: { state: 'COMPLETED', commit: 'c'.repeat(40), detail: '' },
  FAILED: { state: 'FAILED', reason: 'tests_failed', detail: '' },
  BLOCKED: { state: 'BLOCKED', blockedReason: 'why', detail: '' },
  TIMEOUT: { state: 'TIMEOUT', reason: 'silence', detail: '' },
  CANCELLED: { state: 'CANCELLED', detail: '' },
}
const outcomes: SessionOutcome[] = ['success', 'failed', 'timeout', 'blocked', 'cancelled', 'infra_error']
const BEADS = ['m-1', 'm-2', 'm-3', 'm-4']

type Step =
  | { do: 'queue'; bead: number }
  | { do: 'start' | 'cancel' | 'session' | 'pipeline' | 'flag' | 'note'; which: number }
  | { do: 'end'; which: number; to: string }
  | { do: 'running' | 'repeat'; session: number }
  | { do: 'over'; session: number; outcome: SessionOutcome }
  | { do: 'restart' }

const which = fc.nat(1000)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('queue' as const), bead: fc.nat(BEADS.length - 1) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('start' as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('cancel', 'session', 'pipeline', 'flag', 'note' as const), which }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('end' as const), which, to: fc.constantFrom(...Object.keys(ends)) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('running', 'repeat' as const), session: which }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('over' as const), session: which, outcome: fc.constantFrom(...outcomes) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
)

/** The allowed states, written without the store's own tables. */
type Model = {
  executions: Map<ExecutionId, { bead: string; state: ExecutionState; moves: number; steps: Set<string> }>
  sessions: Map<SessionId, { execution: ExecutionId; state: SessionState; outcome: SessionOutcome | null }>
}
const isOver = (state: ExecutionState): boolean => state !== 'QUEUED' && state !== 'RUNNING'

let folder = ''
let store: Store
const open = () => openTestStore(join(folder, 'model.db'), { clock: stepClock(), random: seededRandom() })
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const LENGTH = 200
const RUNS = sized(5, 50)

test(`${(RUNS * LENGTH).toLocaleString('en-US')} random events: the store is what a small model of it is`, () => {
  let events = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: LENGTH, maxLength: LENGTH }), (steps) => {
      if (folder) {
        store.close()
        rmSync(folder, { recursive: true, force: true })
      }
      folder = mkdtempSync(join(tmpdir(), 'bl-model-'))
      store = open()
      world(store, BEADS)
      const model: Model = { executions: new Map(), sessions: new Map() }
      const random = seededRandom(steps.length)
      for (const [at, one] of steps.entries()) {
        take(one, model, random)
        events += 1
        if (at % 10 === 9) compare(model)
      }
      compare(model)
    }),
    { numRuns: RUNS, seed, endOnFailure: isLong },
  )
  expect(events).toBeGreaterThanOrEqual(RUNS * LENGTH)
})

const pick = <K, V>(map: Map<K, V>, number: number): [K, V] | undefined =>
  map.size === 0 ? undefined : [...map][number % map.size]

const refused = (call: () => unknown): boolean => {
  try {
    const answer = call()
    return typeof answer === 'object' && answer !== null && 'refused' in answer
  } catch (error) {
    // A refusal is a value or the store's own error; anything else, also from SQLite's own guards, is a bug.
    expect(error).toMatchObject({ name: 'StoreError', kind: 'refused' })
    return true
  }
}

function take(one: Step, model: Model, random: () => number): void {
  const { executions, sessions } = model
  if (one.do === 'restart') {
    store.close()
    store = open()
  } else if (one.do === 'queue') queue(BEADS[one.bead]!, model, newExecutionId(random))
  else if ('which' in one) {
    const found = pick(executions, one.which)
    if (found) onExecution(one, model, ...found)
  } else {
    const found = pick(sessions, one.session)
    if (found) onSession(one, ...found)
  }
}

function queue(name: string, { executions }: Model, id: ExecutionId): void {
  const its = [...executions.values()].filter((execution) => execution.bead === name)
  // A bead that is done is not started again by itself, and a live one is not started twice.
  const free = store.bead(demo, bead(name))?.status !== 'done' && its.every(({ state }) => isOver(state))
  const order = { id, project: demo, bead: bead(name), kind: 'work', branch: '', context: '', maxAttempts: 3 } as const
  expect(refused(() => store.queueExecution(order))).toBe(!free)
  if (free) executions.set(id, { bead: name, state: 'QUEUED', moves: 1, steps: new Set() })
}

type Execution = Model['executions'] extends Map<ExecutionId, infer E> ? E : never

function onExecution(one: Extract<Step, { which: number }>, model: Model, id: ExecutionId, its: Execution): void {
  const move = (may: boolean, to: ExecutionState, call: () => unknown) => {
    expect(refused(call)).toBe(!may)
    if (!may) return
    its.state = to
    its.moves += 1
  }
  const { state } = its
  if (one.do === 'start') move(state === 'QUEUED', 'RUNNING', () => store.startExecution(id, 1))
  else if (one.do === 'end') {
    const may = state === 'RUNNING' || (state === 'QUEUED' && one.to === 'CANCELLED')
    move(may, one.to as ExecutionState, () => store.endExecution(id, ends[one.to]!))
  } else if (one.do === 'cancel') expect(refused(() => store.requestCancel(id))).toBe(isOver(state))
  else if (one.do === 'note') expect(refused(() => store.noteExecution(id, { attempt: 2 }))).toBe(isOver(state))
  else if (one.do === 'flag') store.flagExecution(id, { kind: 'flaky', text: 'again' })
  else if (one.do === 'session') {
    if (state !== 'RUNNING') return
    const number = [...model.sessions.values()].filter(({ execution }) => execution === id).length + 1
    const session = sessionIdOf(id, number)
    store.startSession({ id: session, execution: id, number, kind: 'work', attempt: 1 })
    model.sessions.set(session, { execution: id, state: 'starting', outcome: null })
  } else if (isOver(state)) {
    const next = pipelineOrder.find((name) => !its.steps.has(name)) ?? 'cleanup'
    store.pipelineDone(id, next)
    its.steps.add(next)
  }
}

type Session = Model['sessions'] extends Map<SessionId, infer S> ? S : never

function onSession(one: Extract<Step, { session: number }>, id: SessionId, its: Session): void {
  if (one.do === 'over') {
    const before = its.state
    refused(() => store.endSession(id, one.outcome, null, ''))
    if (before === 'ended') return
    its.state = 'ended'
    its.outcome = one.outcome
  } else {
    refused(() => store.sessionRunning(id, 'container'))
    if (its.state === 'starting') its.state = 'running'
  }
}

function compare({ executions, sessions }: Model): void {
  for (const [id, { state, moves, steps }] of executions) {
    expect(store.execution(id)?.state).toBe(state)
    const events = store.events(id, 0, 10_000)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
    expect(events.filter(({ type }) => type === 'state')).toHaveLength(moves)
    expect(new Set(store.pipelineSteps(id))).toEqual(steps)
  }
  for (const [id, { state, outcome }] of sessions) expect(store.session(id)).toMatchObject({ state, outcome })
  const live = [...executions].filter(([, { state }]) => !isOver(state)).map(([id]) => id)
  expect(new Set(store.liveExecutions().map(({ id }) => id))).toEqual(new Set(live))
  const unsettled = [...executions].filter(([, { state, steps }]) => isOver(state) && steps.size < pipelineOrder.length)
  expect(new Set(store.unfinishedPipelines().map(({ id }) => id))).toEqual(new Set(unsettled.map(([id]) => id)))
}
