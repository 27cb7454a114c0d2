import { sampleCard, sampleView } from '@beadloom/core/testing/sample-views.ts'
import { expect, test } from 'vitest'
import { isThere, moveRefusal, offerOf, placeOf } from './moves.ts'
import { pendingOf, withPending } from './pending-moves.ts'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { boardLanes } from '../../../feed/lanes.ts'

const item = (lane: Lane, card: Parameters<typeof sampleCard>[0] = {}): BoardCard => ({
  card: sampleCard(card),
  execution: null,
  lane,
  position: null,
})
const lane = (key: Lane) => placeOf({ key, lane: key }, 'state')

test('a card put into the queued or the running column runs', () => {
  expect(lane('queued')).toEqual({ to: 'queue' })
  expect(lane('running')).toEqual({ to: 'queue' })
  expect(moveRefusal({ to: 'queue' }, item('open'), undefined)).toBeNull()
})

test('a column that beads enter only by themselves says why it takes none', () => {
  for (const one of ['blocked', 'failed', 'timeout'] as const)
    expect(offerOf(lane(one), [item('open')], undefined)).toHaveProperty('why')
  expect(offerOf(placeOf({ key: 'ui', lane: null }, 'label'), [item('open')], undefined)).toHaveProperty('why')
})

test('a column by priority sets it, and already has those of that priority', () => {
  const place = placeOf({ key: '0', lane: null }, 'priority')
  expect(offerOf(place, [item('open', { priority: 2 })], undefined)).toEqual({ does: 'P0 critical' })
  expect(isThere(place, [item('open', { priority: 0 })], null)).toBe(true)
})

test('movable cards of a selection move, and a place that takes none names the first reason', () => {
  const done = item('completed', { id: 'a', status: 'done' })
  const running = {
    ...item('running', { id: 'b', status: 'in_progress' }),
    execution: sampleView({ state: 'RUNNING' }),
  }
  expect(offerOf({ to: 'queue' }, [done, item('open', { id: 'c' })], undefined)).toEqual({ does: 'Run (1 of 2)' })
  expect(offerOf({ to: 'queue' }, [done], undefined)).toEqual({
    why: 'a cannot move here: it is done; reopen it first',
  })
  expect(moveRefusal({ to: 'open' }, running, undefined)).toBe('it is running; cancel it first')
  expect(moveRefusal({ to: 'done' }, running, undefined)).toBe('it is running; cancel it first')
})

const lanesOf = (...cards: ReturnType<typeof sampleCard>[]) => {
  const beads = new Map(cards.map((card) => [card.id, card]))
  return boardLanes({ epoch: 'e', seq: 1, projects: new Map(), beads, executions: new Map(), status: null }, [])
}
const ids = (all: Record<Lane, BoardCard[]>, of: Lane) => all[of].map(({ card }) => `${card.id} P${card.priority}`)

test('a move is shown at its place before the server has answered', () => {
  const all = lanesOf(
    sampleCard({ id: 'a', priority: 1, ready: true }),
    sampleCard({ id: 'b', priority: 3, ready: true }),
  )
  const b = all.open[1]!
  const urgent = withPending(all, new Map([['b', pendingOf(b, { to: 'priority', priority: 0 })]]))
  expect(ids(urgent, 'open')).toEqual(['b P0', 'a P1'])
  const queued = withPending(all, new Map([['b', pendingOf(b, { to: 'queue' })]]))
  expect(ids(queued, 'open')).toEqual(['a P1'])
  expect(ids(queued, 'queued')).toEqual(['b P3'])
})

test('news from the server counts more than the request', () => {
  const before = lanesOf(sampleCard({ id: 'a', priority: 3 }))
  const pending = new Map([['a', pendingOf(before.open[0]!, { to: 'priority', priority: 0 })]])
  const after = lanesOf(sampleCard({ id: 'a', priority: 2 }))
  expect(withPending(after, pending)).toBe(after)
  const run = new Map([['a', pendingOf(before.open[0]!, { to: 'queue' })]])
  const failed = lanesOf(sampleCard({ id: 'a', status: 'in_progress', failed: true, execution: 'x' }))
  expect(withPending(failed, run)).toBe(failed)
})
