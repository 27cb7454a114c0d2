import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isTerminal, terminalStates } from '@beadloom/core/records/execution.ts'
import type { ExecutionEnd, TerminalState } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { newExecutionId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import { bead, demo, openTestStore, queued, running, seededRandom, stepClock, world } from '../testing.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

let folder: string
let file: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beadloom-transitions-'))
  file = join(folder, 'beadloom.db')
  store = openTestStore(file, { clock: stepClock(), random: seededRandom() })
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const ends: Record<TerminalState, ExecutionEnd> = {
  COMPLETED: { state: 'COMPLETED', commit: 'c0ffee', detail: 'merged' },
  FAILED: { state: 'FAILED', reason: 'tests_failed', detail: 'two tests fail' },
  BLOCKED: { state: 'BLOCKED', blockedReason: 'no key', detail: 'it says so' },
  TIMEOUT: { state: 'TIMEOUT', reason: 'silence', detail: 'no output for 10 minutes' },
  CANCELLED: { state: 'CANCELLED', detail: 'somebody pressed cancel' },
}
const stateEvents = (id: ExecutionId) =>
  store
    .events(id, 0, 1000)
    .filter(({ type }) => type === 'state')
    .map(({ data }) => data)

test('an execution goes from the queue to its end, and its record has each move', () => {
  world(store, ['a-1'])
  const id = running(store, 'a-1')
  expect(store.execution(id)).toMatchObject({ state: 'RUNNING', deadlineAt: 9_999_999, formerBeadStatus: 'open' })
  expect(store.bead(demo, bead('a-1'))?.status).toBe('in_progress')
  store.endExecution(id, ends.FAILED)
  expect(store.execution(id)).toMatchObject({ state: 'FAILED', reason: 'tests_failed', detail: 'two tests fail' })
  expect(stateEvents(id)).toEqual([
    { from: null, to: 'QUEUED', reason: null, detail: '' },
    { from: 'QUEUED', to: 'RUNNING', reason: null, detail: '' },
    { from: 'RUNNING', to: 'FAILED', reason: 'tests_failed', detail: 'two tests fail' },
  ])
})

test('a bead has one live execution, and another one when that has ended', () => {
  world(store, ['a-1'])
  const first = queued(store, 'a-1')
  expect(() => queued(store, 'a-1')).toThrow(`bead a-1 already has a live execution: ${first}`)
  store.endExecution(first, ends.CANCELLED)
  expect(queued(store, 'a-1')).not.toBe(first)
})

test('a bead that is done, and a missing one, cannot be queued', () => {
  world(store, ['a-1'])
  store.moveBead(demo, bead('a-1'), { type: 'closed' })
  expect(() => queued(store, 'a-1')).toThrow('a bead that is done cannot be started')
  expect(() => queued(store, 'a-2')).toThrow('there is no bead a-2')
})

test('a bead that was closed while its execution waited is not started', () => {
  world(store, ['a-1'])
  const id = queued(store, 'a-1')
  store.moveBead(demo, bead('a-1'), { type: 'closed' })
  expect(store.startExecution(id, 5)).toEqual({ refused: 'a bead that is done cannot be started' })
  expect(store.execution(id)?.state).toBe('QUEUED')
})

test('the database itself refuses to change an end, or a second live execution', () => {
  world(store, ['a-1', 'a-2'])
  const id = running(store, 'a-1')
  const live = running(store, 'a-2')
  store.endExecution(id, ends.COMPLETED)
  store.close()
  const db = new Database(file)
  for (const change of [`state = 'RUNNING', ended_at = NULL`, `state = 'COMPLETED'`, `detail = 'x'`])
    expect(() => db.exec(`UPDATE execution SET ${change} WHERE id = '${id}'`)).toThrow(/never changes/)
  expect(() => db.exec(`UPDATE execution SET state = 'LOST' WHERE id = '${live}'`)).toThrow(/CHECK/)
  const copy = (state: string, queuedAt: number) =>
    `INSERT INTO execution (id, project, bead, kind, state, branch, context, former_bead_status, max_attempts, queued_at)
     VALUES ('ex-copy', 'demo', 'a-2', 'work', '${state}', '', '', 'open', 1, ${queuedAt})`
  expect(() => db.exec(copy('QUEUED', 1))).toThrow(/UNIQUE/)
  expect(() => db.exec(copy('RUNNING', 1))).toThrow(/begins QUEUED/)
  db.close()
  store = openTestStore(file, { clock: stepClock(), random: seededRandom() })
})

test('nothing of a finished execution changes but its tokens and its pipeline', () => {
  world(store, ['a-1'])
  const id = running(store, 'a-1')
  store.endExecution(id, ends.COMPLETED)
  expect(() => store.noteExecution(id, { attempt: 2 })).toThrow(/no longer changes/)
  expect(store.requestCancel(id)).toEqual({ refused: `execution ${id} has already ended (COMPLETED)` })
  expect(store.startExecution(id, 1)).toMatchObject({ refused: expect.any(String) })
})

test('a request to cancel is stored once, before anything is stopped', () => {
  world(store, ['a-1'])
  const id = running(store, 'a-1')
  const first = store.requestCancel(id)
  expect(first).toMatchObject({ state: 'RUNNING', cancelRequestedAt: expect.any(Number) })
  const seq = store.seq()
  expect(store.requestCancel(id)).toEqual(first)
  expect(store.seq()).toBe(seq)
})

test('each step of the terminal pipeline is recorded once, and missing ones are found again', () => {
  world(store, ['a-1', 'a-2'])
  const id = running(store, 'a-1')
  expect(() => store.pipelineDone(id, 'status')).toThrow(/has not started/)
  store.endExecution(id, ends.COMPLETED)
  expect(store.unfinishedPipelines().map((each) => each.id)).toEqual([id])
  store.pipelineDone(id, 'sync')
  store.pipelineDone(id, 'status')
  store.pipelineDone(id, 'status')
  expect(store.pipelineSteps(id)).toEqual(['status', 'sync'])
  store.pipelineDone(id, 'bead')
  store.pipelineDone(id, 'cleanup')
  expect(store.unfinishedPipelines()).toEqual([])
  expect(store.events(id, 0, 100).filter(({ type }) => type === 'pipeline')).toHaveLength(4)
})

test('executions are listed newest first, by project, bead and state, page by page', () => {
  world(store, ['a-1', 'a-2', 'a-3'])
  const ids = ['a-1', 'a-2', 'a-3'].map((id) => queued(store, id))
  store.startExecution(ids[1]!, 5)
  const page = store.executions({ project: demo, limit: 2 })
  expect(page.map(({ id }) => id)).toEqual([ids[2], ids[1]])
  expect(store.executions({ before: page[1]!.queuedAt, limit: 2 }).map(({ id }) => id)).toEqual([ids[0]])
  expect(store.executions({ state: 'RUNNING', limit: 9 }).map(({ id }) => id)).toEqual([ids[1]])
  expect(store.executions({ bead: bead('a-3'), limit: 9 }).map(({ id }) => id)).toEqual([ids[2]])
})

type Step = { do: 'queue' | 'start' | 'cancel' | 'end'; bead: number; to: TerminalState; which: number }

// Cancel and start act on the bead's live execution, end on any that ever was.
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    do: fc.constantFrom('queue', 'start', 'cancel', 'end', 'end'),
    bead: fc.nat(2),
    to: fc.constantFrom(...terminalStates),
    which: fc.nat(20),
  }),
  { maxLength: 60 },
)

longTest('in any order of events: one live execution a bead, ends never change, one event a move', () => {
  fc.assert(
    fc.property(steps, (plan) => {
      const chance = seededRandom(plan.length + 1)
      store = openFresh()
      const names = ['a-1', 'a-2', 'a-3']
      world(store, names)
      const all: ExecutionId[] = []
      const moves = new Map<ExecutionId, number>()
      const frozen = new Map<ExecutionId, string>()
      for (const step of plan) {
        const name = names[step.bead]!
        const target = step.do === 'end' ? all[step.which % Math.max(all.length, 1)] : liveOf(name)
        const before = target ? store.execution(target)!.state : null
        const seq = store.seq()
        let refused = true
        if (step.do === 'queue') {
          const id = newExecutionId(chance)
          const order = {
            id,
            project: demo,
            bead: bead(name),
            kind: 'work',
            branch: '',
            context: '',
            maxAttempts: 1,
          } as const
          const result = store.queueExecution(order)
          refused = 'refused' in result
          expect(refused).toBe(target !== undefined)
          if (!refused) {
            all.push(id)
            moves.set(id, 1)
          }
        } else if (target) {
          const result =
            step.do === 'start'
              ? store.startExecution(target, 1)
              : step.do === 'cancel'
                ? store.endExecution(target, ends.CANCELLED)
                : store.endExecution(target, ends[step.to])
          refused = 'refused' in result
          if (!refused) moves.set(target, (moves.get(target) ?? 0) + 1)
          if (before && isTerminal(before)) expect(refused).toBe(true)
        }
        if (refused) expect(store.seq()).toBe(seq)
        for (const id of all) {
          const execution = store.execution(id)!
          const known = frozen.get(id)
          if (known !== undefined) expect(JSON.stringify(execution)).toBe(known)
          else if (isTerminal(execution.state)) frozen.set(id, JSON.stringify(execution))
          expect(stateEvents(id)).toHaveLength(moves.get(id)!)
          expect(store.events(id, 0, 1000).map((event) => event.seq)).toEqual(
            store.events(id, 0, 1000).map((_, index) => index + 1),
          )
        }
        const live = store.liveExecutions().map((execution) => execution.bead)
        expect(new Set(live).size).toBe(live.length)
      }
    }),
    { numRuns: 60 },
  )
})

const liveOf = (name: string) => store.liveExecutions().find((execution) => execution.bead === name)?.id

function openFresh(): Store {
  store.close()
  rmSync(folder, { recursive: true, force: true })
  return openTestStore(file, { clock: stepClock(), random: seededRandom() })
}
