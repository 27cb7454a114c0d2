import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { sampleCard } from '@beadloom/core/testing/sample-views.ts'
import { describe, expect, test } from 'vitest'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import { BoardFold } from './board-fold.ts'
import type { BoardView } from './board-fold.ts'
import fc from 'fast-check'
import { laneOf, lanes, parseLane } from '@beadloom/core/board/board-card.ts'
import { cardsByLane } from '@beadloom/core/board/cards-by-lane.ts'
import { boardLanes, LaneKeeper } from './lanes.ts'

const card = (given: Partial<BeadCard>) => sampleCard({ id: 'a', title: 'A title', ready: false, ...given })
const run = (given: Partial<ExecutionView>) =>
  ({ id: 'x', state: 'RUNNING', endedAt: null, startedAt: 1, queuedAt: 0, ...given }) as ExecutionView
const board = (cards: BeadCard[], runs: ExecutionView[] = []): BoardView => ({
  epoch: 'e',
  seq: 1,
  projects: new Map(),
  beads: new Map(cards.map((one) => [one.id, one])),
  executions: new Map(runs.map((one) => [one.id, one])),
  status: null,
})
const idsOf = (cards: { card: BeadCard }[]) => cards.map((one) => one.card.id)

describe('the column of a bead', () => {
  test('is that of its live execution, whatever its status still says', () => {
    expect(laneOf(card({ status: 'open' }), run({ state: 'QUEUED' }))).toBe('queued')
    expect(laneOf(card({ status: 'open' }), run({ state: 'RUNNING' }))).toBe('running')
    expect(laneOf(card({ status: 'open' }), run({ state: 'RUNNING', waitsForPlace: 'a quota' }))).toBe('queued')
  })
  test('is Failed if it stays in progress after an execution that ended, known or not', () => {
    expect(laneOf(card({ status: 'in_progress', execution: 'x' }), run({ state: 'FAILED' }))).toBe('failed')
    expect(laneOf(card({ status: 'in_progress', execution: 'x' }), null)).toBe('failed')
  })
  test('is Open if somebody else works on it, or if its run was cancelled', () => {
    expect(laneOf(card({ status: 'in_progress' }), null)).toBe('open')
    expect(laneOf(card({ status: 'in_progress', execution: 'x' }), run({ state: 'CANCELLED' }))).toBe('open')
  })
  test('is Open again after a person reopened it, however its last run ended', () => {
    expect(laneOf(card({ status: 'open', execution: 'x' }), run({ state: 'FAILED' }))).toBe('open')
  })
  test.each([
    ['done', 'completed'],
    ['blocked', 'blocked'],
    ['timeout', 'timeout'],
  ] as const)('follows the status %s', (status, lane) => {
    expect(laneOf(card({ status }), null)).toBe(lane)
  })
})

describe('the columns', () => {
  test('leave out beads that the tracker hides', () => {
    expect(boardLanes(board([card({ hidden: true })]), []).open).toEqual([])
  })
  test('show the queue in the order of the scheduler, not in ours', () => {
    const cards = [card({ id: 'a', priority: 0, execution: 'x1' }), card({ id: 'b', priority: 4, execution: 'x2' })]
    const runs = [run({ id: 'x1' as never, state: 'QUEUED' }), run({ id: 'x2' as never, state: 'QUEUED' })]
    const queue = [
      { execution: 'x2', project: 'p', bead: 'b', position: 1, reason: null },
      { execution: 'x1', project: 'p', bead: 'a', position: 2, reason: null },
    ]
    expect(idsOf(boardLanes(board(cards, runs), queue).queued)).toEqual(['b', 'a'])
  })
  test('show ready beads before waiting ones, then by priority, then by age', () => {
    const cards = [
      card({ id: 'waits', priority: 0 }),
      card({ id: 'young', ready: true, createdAt: 5 }),
      card({ id: 'old', ready: true, createdAt: 1 }),
      card({ id: 'urgent', ready: true, priority: 1, createdAt: 9 }),
    ]
    expect(idsOf(boardLanes(board(cards), []).open)).toEqual(['urgent', 'old', 'young', 'waits'])
  })
  test('show failed beads newest first, even if they failed before the feed began', () => {
    const cards = ['a', 'b', 'c'].map((id, n) => card({ id, status: 'in_progress', execution: `x${n}` }))
    const known = new Map(
      [1, 3, 2].map((endedAt, n) => [`x${n}`, run({ id: `x${n}` as never, state: 'FAILED', endedAt })]),
    )
    expect(idsOf(boardLanes(board(cards), [], known).failed)).toEqual(['b', 'c', 'a'])
  })
})

test('the blocked bead that keeps the most others waiting comes first', () => {
  const reason = { code: 'waits_for_bead' as const, text: 'waits for c', beads: ['c'] }
  const cards = [
    card({ id: 'b', status: 'blocked', priority: 0 }),
    card({ id: 'c', status: 'blocked', priority: 4 }),
    card({ id: 'd', reason }),
  ]
  expect(idsOf(boardLanes(board(cards), []).blocked)).toEqual(['c', 'b'])
})

test('an unchanged card is the same object, so it is not drawn again', () => {
  const [one, two] = [card({ id: 'a' }), card({ id: 'b' })]
  const keeper = new LaneKeeper()
  const before = keeper.lanes(board([one, two]), [])
  const after = keeper.lanes(board([one, { ...two, title: 'New' }]), [])
  expect(after.open[0]).toBe(before.open[0])
  expect(after.open[1]).not.toBe(before.open[1])
  expect(after.failed).toBe(before.failed)
  expect(keeper.lanes(board([one, { ...two, title: 'New' }]), []).failed).toBe(before.failed)
})

test('updated columns equal columns made anew, whatever changes in whatever order', () => {
  const one = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    status: fc.constantFrom('open', 'blocked', 'done', 'timeout', 'in_progress'),
    priority: fc.integer({ min: 0, max: 4 }),
    updatedAt: fc.integer({ min: 0, max: 9 }),
    createdAt: fc.integer({ min: 0, max: 9 }),
    ready: fc.boolean(),
    hidden: fc.constantFrom(false, false, false, true),
    execution: fc.constantFrom(null, null, 'x1', 'x2'),
    labels: fc.constantFrom([], [], ['ui']),
    type: fc.constantFrom('task', 'task', 'bug'),
    waits: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 2 }),
  })
  const state = fc.constantFrom('QUEUED', 'RUNNING', 'FAILED', 'COMPLETED', 'CANCELLED')
  const step = fc.record({
    put: fc.array(one, { maxLength: 3 }),
    remove: fc.constantFrom(null, null, 'a', 'b', 'c'),
    run: fc.option(fc.record({ id: fc.constantFrom('x1', 'x2'), state, endedAt: fc.integer({ min: 0, max: 9 }) })),
    queue: fc.constantFrom([], ['x1'], ['x2', 'x1']),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const keeper = new LaneKeeper()
      const followed = { keeper: new LaneKeeper(), fold: new BoardFold() }
      followed.fold.apply({ type: 'snapshot', ch: 1, epoch: 'e', seq: 0, ops: [] })
      let seq = 0
      const tell = (...ops: BoardOp[]) => void followed.fold.apply({ type: 'delta', ch: 1, seq: ++seq, ops })
      const queues = new Map<string, ServerStatus['queue']>()
      const beads = new Map<string, BeadCard>()
      const runs = new Map<string, ExecutionView>()
      for (const { put, remove, run: changed, queue } of steps) {
        for (const { waits, ...given } of put) {
          const value = card({
            ...given,
            status: given.status as BeadCard['status'],
            reason: { code: 'waits_for_bead', text: '', beads: waits },
          })
          beads.set(given.id, value)
          tell({ op: 'put', kind: 'bead', value })
        }
        if (remove !== null) {
          beads.delete(remove)
          tell({ op: 'remove', kind: 'bead', id: remove })
        }
        if (changed !== null) {
          const value = run(changed as never)
          runs.set(changed.id, value)
          tell({ op: 'put', kind: 'execution', value })
        }
        const now = board([...beads.values()], [...runs.values()])
        const queued =
          queues.get(queue.join()) ??
          queue.map((execution, at) => ({ execution, project: 'p', bead: '', position: at, reason: null }))
        queues.set(queue.join(), queued)
        const kept = keeper.lanes(now, queued)
        const made = boardLanes(now, queued)
        for (const lane of lanes) expect(idsOf(kept[lane])).toEqual(idsOf(made[lane]))
        expect(kept).toEqual(made)
        const positions = new Map(queued.map(({ execution, position }) => [execution as string, position]))
        expect(cardsByLane({ cards: [...beads.values()], executions: runs, positions })).toEqual(made)
        const view = followed.fold.view()
        expect(view && followed.keeper.lanes(view, queued)).toEqual(made)
        const cards = lanes.flatMap((lane) => made[lane].map((item) => item.card))
        expect(followed.keeper.used()).toEqual([
          'state',
          ...(cards.some(({ labels }) => labels.length > 0) ? ['label'] : []),
          ...(new Set(cards.map(({ type }) => type)).size > 1 ? ['type'] : []),
          'priority',
          ...(cards.some(({ assignee }) => assignee !== undefined) ? ['assignee'] : []),
          ...(cards.some(({ parent }) => parent !== undefined) ? ['epic'] : []),
        ])
      }
    }),
  )
})

test('a column in the URL is one of ours or none', () => {
  expect(parseLane('failed')).toBe('failed')
  expect(parseLane('nonsense')).toBeUndefined()
})
