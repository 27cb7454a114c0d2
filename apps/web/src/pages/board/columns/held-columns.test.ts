import { sampleCard } from '@beadloom/core/testing/sample-views.ts'
import { expect, test } from 'vitest'
import { holdColumns, holdRows } from './held-columns.ts'
import type { ListRow, ShownColumn } from './held-columns.ts'
import { groupCards } from '@beadloom/core/board/board-groups.ts'
import type { CardGroup } from '@beadloom/core/board/board-groups.ts'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'

const item = (id: string, lane: Lane): BoardCard => ({
  card: sampleCard({ id }),
  execution: null,
  lane,
  position: null,
})
const board = (given: Partial<Record<Lane, string[]>>): CardGroup[] => {
  const of = (lane: Lane) => (given[lane] ?? []).map((id) => item(id, lane))
  const all = {
    queued: of('queued'),
    running: of('running'),
    blocked: of('blocked'),
    failed: of('failed'),
    timeout: of('timeout'),
    open: of('open'),
    completed: of('completed'),
  }
  return groupCards(all, 'state', new Map())
}
const said = (columns: readonly ShownColumn[], of: string) =>
  columns
    .flatMap(({ key, cards }) => (key === of ? cards : []))
    .map(({ card, movedTo }) => (movedTo === undefined ? card.id : `${card.id} to ${movedTo.name}`))

test('when nobody touches it, the board is as the server has it', () => {
  const all = board({ running: ['a'] })
  expect(holdColumns(all, null)).toBe(all)
})

test('in a held column every card keeps its place: departed ones are marked, new ones are below', () => {
  const all = board({ running: ['new', 'c', 'a'], failed: ['b', 'other'] })
  const held = holdColumns(all, { column: 'running', ids: ['a', 'b', 'c'] })
  expect(said(held, 'running')).toEqual(['a', 'b to failed', 'c', 'new'])
  expect(said(held, 'failed')).toEqual(['other'])
})

test('a removed bead is gone, held or not', () => {
  expect(said(holdColumns(board({ open: ['b'] }), { column: 'open', ids: ['a', 'b'] }), 'open')).toEqual(['b'])
})

test('a card is on the board once', () => {
  const held = holdColumns(board({ queued: ['a'], open: ['b'] }), { column: 'open', ids: ['a', 'b'] })
  expect([...said(held, 'queued'), ...said(held, 'open')]).toEqual(['a to queued', 'b'])
})

test('a column of a label is held in the same way, and a card there keeps its state', () => {
  const labelled = (label: string, ids: string[]): CardGroup => ({
    key: label,
    lane: null,
    name: label,
    cards: ids.map((id) => item(id, 'running')),
  })
  const held = holdColumns([labelled('ui', ['a']), labelled('docs', ['b', 'c'])], { column: 'ui', ids: ['b', 'a'] })
  expect(said(held, 'ui')).toEqual(['b to docs', 'a'])
  expect(said(held, 'docs')).toEqual(['c'])
  expect(held[0]?.cards[0]?.lane).toBe('running')
})

test('the rows of a held list keep their order too, with new ones below, and names whose beads have gone', () => {
  const row = (id: string): ListRow =>
    id.startsWith('#')
      ? { key: id, item: null, group: { key: id, lane: null, name: id, cards: [] } }
      : { key: id, item: item(id, 'open') }
  const rows = (ids: string[]) => ids.map(row)
  const keys = (all: readonly ListRow[]) => all.map(({ key }) => key)
  expect(keys(holdRows(rows(['new', 'c', 'a']), rows(['a', 'b', 'c'])))).toEqual(['a', 'c', 'new'])
  expect(keys(holdRows(rows(['#2', 'a']), rows(['#1', 'a', '#2'])))).toEqual(['#1', 'a', '#2'])
  expect(keys(holdRows(rows(['c', 'a']), null))).toEqual(['c', 'a'])
})
