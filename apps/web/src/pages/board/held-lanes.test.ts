import { sampleCard } from '@beadloom/core/testing/sample-views.ts'
import { expect, test } from 'vitest'
import { holdLanes, holdRows } from './held-lanes.ts'
import type { ShownLanes } from './held-lanes.ts'
import type { BoardCard, Lane } from '../../feed/lanes.ts'

const item = (id: string, lane: Lane): BoardCard => ({
  card: sampleCard({ id }),
  execution: null,
  lane,
  position: null,
})
const board = (given: Partial<Record<Lane, string[]>>): Record<Lane, BoardCard[]> => {
  const of = (lane: Lane) => (given[lane] ?? []).map((id) => item(id, lane))
  return {
    queued: of('queued'),
    running: of('running'),
    blocked: of('blocked'),
    failed: of('failed'),
    timeout: of('timeout'),
    open: of('open'),
    completed: of('completed'),
  }
}
const said = (lanes: ShownLanes, lane: Lane) =>
  lanes[lane].map(({ card, movedTo }) => (movedTo === undefined ? card.id : `${card.id} to ${movedTo}`))

test('nobody at it: the board is as the server has it', () => {
  const all = board({ running: ['a'] })
  expect(holdLanes(all, null)).toBe(all)
})

test('in a held column every card keeps its place: what left is marked, what came is below', () => {
  const all = board({ running: ['new', 'c', 'a'], failed: ['b', 'other'] })
  const held = holdLanes(all, { lane: 'running', ids: ['a', 'b', 'c'] })
  expect(said(held, 'running')).toEqual(['a', 'b to failed', 'c', 'new'])
  expect(said(held, 'failed')).toEqual(['other'])
})

test('a bead that is gone is gone, held or not', () => {
  expect(said(holdLanes(board({ open: ['b'] }), { lane: 'open', ids: ['a', 'b'] }), 'open')).toEqual(['b'])
})

test('a card is on the board once', () => {
  const held = holdLanes(board({ queued: ['a'], open: ['b'] }), { lane: 'open', ids: ['a', 'b'] })
  expect([...said(held, 'queued'), ...said(held, 'open')]).toEqual(['a to queued', 'b'])
})

test('the rows of a held list keep their order too, with what is new below', () => {
  const rows = (ids: string[]) => ids.map((id) => item(id, 'open'))
  const ids = (cards: readonly BoardCard[]) => cards.map(({ card }) => card.id)
  expect(ids(holdRows(rows(['new', 'c', 'a']), ['a', 'b', 'c']))).toEqual(['a', 'c', 'new'])
  expect(ids(holdRows(rows(['c', 'a']), null))).toEqual(['c', 'a'])
})
