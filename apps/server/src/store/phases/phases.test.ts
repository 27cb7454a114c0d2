import { afterEach, beforeEach, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { nineSubtasks, planOf } from '@beadloom/core/plan/plan-kit.ts'
import type { Store } from '../../ports/store.ts'
import { bead, demo, executionId, openTestStore, seededRandom, stepClock, world } from '../testing.ts'

let store: Store
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-phases-'))
  store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
  world(store, ['bl-1'])
  store.addPlan({ project: demo, bead: one, source: 'person', plan: planOf(nineSubtasks) })
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const one = bead('bl-1')
const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string]

function begun(letter: string): ExecutionId {
  const id = executionId(letter)
  const common = { id, project: demo, bead: one, kind: 'work' as const, branch: 'b', context: '', maxAttempts: 3 }
  const queued = store.queueExecution({ ...common, planVersion: 1 })
  if ('refused' in queued) throw new Error(queued.refused)
  store.startExecution(id, 9_999_999)
  return id
}

test('the start of a phase is stored once, and so is its approval', () => {
  const id = begun('a')
  store.beginPhase(id, 1, A, 5)
  store.beginPhase(id, 1, B, 5)
  expect(store.phases(id)).toMatchObject([{ number: 1, preCommit: A, commit: null, endedAt: null }])
  store.approvePhase(id, { number: 1, of: 5, commit: B, summary: 'what was done' })
  store.approvePhase(id, { number: 1, of: 5, commit: C, summary: 'something else' })
  expect(store.phases(id)).toMatchObject([{ commit: B, summary: 'what was done', from: null }])
})

test('a round has a number over the execution, its result, and sessions with their purposes', () => {
  const id = begun('a')
  store.beginPhase(id, 1, A, 5)
  store.beginRound(id, { number: 1, phase: 1, attempt: 1, kind: 'subtasks' })
  store.beginRound(id, { number: 1, phase: 1, attempt: 1, kind: 'subtasks' })
  const session = sessionIdOf(id, 1)
  const phase = { role: 'subtask', subtask: '1a' } as const
  store.startSession({ id: session, execution: id, number: 1, kind: 'work', attempt: 1, phase })
  store.startSession({ id: sessionIdOf(id, 2), execution: id, number: 2, kind: 'verify', attempt: 1 })
  expect(store.phaseSessions(id)).toMatchObject([{ id: session, attempt: 1, role: 'subtask', subtask: '1a' }])
  store.noteConflict(id, 1, '1b')
  store.endRound(id, 1, null)
  expect(store.rounds(id)).toEqual([
    { number: 1, phase: 1, attempt: 1, kind: 'subtasks', commit: null, empty: true, conflict: '1b' },
  ])
})

test('a phase that an earlier execution has done by the same version is found, and goes with its project', () => {
  const first = begun('a')
  store.beginPhase(first, 1, A, 5)
  expect(store.donePhase(demo, one, 1, 1)).toBeNull()
  store.approvePhase(first, { number: 1, of: 5, commit: B, summary: 'done' })
  store.endExecution(first, { state: 'CANCELLED', detail: 'x' })
  const done = store.donePhase(demo, one, 1, 1)
  expect(done).toEqual({ number: 1, preCommit: A, commit: B, summary: 'done', execution: first })
  expect(store.donePhase(demo, one, 2, 1)).toBeNull()
  store.moveBead(demo, one, { type: 'reopened' })
  const second = begun('b')
  store.takePhase(second, done!)
  expect(store.phases(second)).toMatchObject([{ commit: B, summary: 'done', from: first }])
  expect(store.donePhase(demo, one, 1, 1)).toMatchObject({ execution: first })
  store.endExecution(second, { state: 'CANCELLED', detail: 'x' })
  store.removeProject(demo)
  expect(store.phases(second)).toEqual([])
})

test('it waits after a phase until somebody lets it continue and it has a slot, and its end ends the wait', () => {
  const id = begun('a')
  const waits = () => store.execution(id)?.waits
  expect(store.letContinue(id)).toEqual({ refused: expect.stringContaining('does not wait') })
  expect(store.askPause(id)).toMatchObject({ pauseAsked: true })
  store.waitAfterPhase(id, 1)
  store.waitAfterPhase(id, 1)
  expect(waits()).toMatchObject({ kind: 'phase', after: 1, continued: false })
  expect(store.execution(id)?.pauseAsked).toBeUndefined()
  expect(store.askPause(id)).toEqual({ refused: expect.stringContaining('waits already') })
  expect(store.letContinue(id)).toMatchObject({ waits: { kind: 'phase', continued: true } })
  store.letContinue(id)
  store.endWait(id)
  expect([waits(), store.execution(id)?.continuedAfter]).toEqual([null, 1])
  store.waitAfterPhase(id, 2)
  expect(waits()).toMatchObject({ kind: 'phase', after: 2, continued: false })
  store.endExecution(id, { state: 'CANCELLED', detail: 'x' })
  expect(waits()).toBeNull()
  expect(store.askPause(id)).toEqual({ refused: expect.stringContaining('already ended') })
  const types = store.events(id, 0, 100).map(({ type }) => type)
  expect(types.filter((type) => /^(phase|pause)_/.test(type))).toEqual([
    'pause_asked',
    'phase_waits',
    'phase_continues',
    'phase_waits',
  ])
})

test('a subtask is left out once', () => {
  const id = begun('a')
  store.skipSubtask(id, '2a')
  store.skipSubtask(id, '2a')
  expect(store.skippedSubtasks(id)).toEqual(['2a'])
  store.endExecution(id, { state: 'CANCELLED', detail: 'x' })
  store.removeProject(demo)
  expect(store.skippedSubtasks(id)).toEqual([])
})
