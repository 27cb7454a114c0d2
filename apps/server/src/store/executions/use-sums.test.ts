import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newExecutionId, parseProjectId, sessionIdOf, type ExecutionId } from '@beadloom/core/records/ids.ts'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { expect, onTestFinished, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { bead, demo, openTestStore, queued, running, seededRandom, tracked } from '../testing.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 23, 12)
const done: ExecutionEnd = { state: 'COMPLETED', commit: 'c'.repeat(40), detail: 'Done.' }
const failed: ExecutionEnd = { state: 'FAILED', reason: 'agent_failed', detail: 'It ended.' }

function open(...beads: [id: string, type: string][]) {
  const folder = mkdtempSync(join(tmpdir(), 'bl-sums-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clock = new HandClock()
  clock.jump(NOON - clock.now())
  const store = openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  onTestFinished(() => store.close())
  store.addProject({ id: demo, source: '/repos/demo' })
  store.replaceBeads(
    demo,
    beads.map(([id, type]) => tracked(id, { type })),
  )
  return { store, clock }
}
type Store = ReturnType<typeof open>['store']

/** A session that has used so much. */
function use(store: Store, execution: ExecutionId, number: number, input: number, costMicros?: number): void {
  const id = sessionIdOf(execution, number)
  store.startSession({ id, execution, number, kind: 'work', attempt: 1 })
  store.addTokens(execution, id, { input, output: 0, ...(costMicros !== undefined && { costMicros }) })
}

test('a completed bead has cost the use of all of its executions', () => {
  const { store, clock } = open(['a-1', 'bug'], ['a-2', 'task'], ['a-3', 'task'], ['a-4', 'task'])
  const first = running(store, 'a-1')
  use(store, first, 1, 100, 10)
  store.endExecution(first, failed)
  const second = running(store, 'a-1')
  use(store, second, 1, 50, 5)
  use(store, second, 2, 7)
  store.endExecution(second, done)
  clock.jump(HOUR)
  const other = running(store, 'a-2')
  use(store, other, 1, 3, 1)
  store.endExecution(other, done)
  // Without known use, and not completed.
  store.endExecution(running(store, 'a-3'), done)
  use(store, running(store, 'a-4'), 1, 999)

  const found = store.completedUse(demo, 100)
  expect(
    found.map(({ bead: id, type, at, use: { input, costMicros, unpriced } }) => ({
      id,
      type,
      at,
      input,
      costMicros,
      unpriced,
    })),
  ).toEqual([
    { id: 'a-2', type: 'task', at: expect.any(Number), input: 3, costMicros: 1, unpriced: 0 },
    { id: 'a-1', type: 'bug', at: expect.any(Number), input: 157, costMicros: 15, unpriced: 7 },
  ])
  expect(found[0]!.at - found[1]!.at).toBeGreaterThanOrEqual(HOUR)
  expect(store.completedUse(demo, 2).map(({ bead: id }) => id)).toEqual(['a-2'])
  expect(store.completedBeads(demo, 0)).toBe(3)
  expect(store.completedBeads(demo, NOON + HOUR / 2)).toBe(2)
  expect(store.completedUse(parseProjectId('other'), 100)).toEqual([])
})

test('use is added up hour by hour', () => {
  const { store, clock } = open(['a-1', 'task'])
  const execution = running(store, 'a-1')
  use(store, execution, 1, 10, 4)
  clock.jump(HOUR)
  use(store, execution, 2, 20)
  store.addTokens(execution, sessionIdOf(execution, 1), { input: 1, output: 1, costMicros: 2 })
  expect(store.tokenHours(demo, 0)).toMatchObject([
    { hour: NOON, use: { calls: 1, input: 10, costMicros: 4, unpriced: 0 } },
    { hour: NOON + HOUR, use: { calls: 2, input: 21, output: 1, costMicros: 2, unpriced: 20 } },
  ])
  expect(store.tokenHours(demo, NOON + HOUR)).toHaveLength(1)
})

test('waiting beads are counted by kind and type, and running ones do not wait', () => {
  const { store } = open(['a-1', 'task'], ['a-2', 'task'], ['a-3', 'bug'], ['a-4', 'epic'])
  running(store, 'a-3')
  queued(store, 'a-1')
  queued(store, 'a-2')
  const plan = { id: newExecutionId(seededRandom(3)), project: demo, bead: bead('a-4'), kind: 'plan' as const }
  store.queueExecution({ ...plan, branch: 'beads-a-4', context: '', maxAttempts: 1 })
  expect(store.waitingTypes(demo)).toEqual([
    { kind: 'work', type: 'task', count: 2 },
    { kind: 'plan', type: 'epic', count: 1 },
  ])
})

test('a review with a result has cost the use of its sessions, and its cost is in its bead, too', () => {
  const { store } = open(['a-1', 'task'])
  const random = seededRandom(5)
  const reviewed = (end: ExecutionEnd, input: number) => {
    const id = newExecutionId(random)
    const review = { id, project: demo, bead: bead('a-1'), kind: 'review' as const }
    store.queueExecution({ ...review, branch: 'beads-a-1', context: '', maxAttempts: 1 })
    expect(store.waitingTypes(demo)).toEqual([{ kind: 'review', type: 'task', count: 1 }])
    store.startExecution(id, NOON + HOUR)
    use(store, id, 1, input, 3)
    use(store, id, 2, 1)
    store.endExecution(id, end)
  }
  const work = running(store, 'a-1')
  use(store, work, 1, 500)
  store.endExecution(work, done)
  reviewed(done, 20)
  reviewed(failed, 900)
  expect(store.reviewUse(demo, 100)).toMatchObject([{ input: 21, costMicros: 3, unpriced: 1 }])
  expect(store.completedUse(demo, 100)).toMatchObject([{ bead: 'a-1', use: { input: 500 + 21 + 901 } }])
})
