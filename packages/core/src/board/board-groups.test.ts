import type { BeadCard } from '../api/beads/bead-api.ts'
import { sampleCard } from '../testing/sample-views.ts'
import { expect, test } from 'vitest'
import { groupCards, MOST_GROUPS } from './board-groups.ts'
import type { CardGroup } from './board-groups.ts'
import { cardsByLane } from './cards-by-lane.ts'

const lanesOf = (cards: Partial<BeadCard>[]) =>
  cardsByLane({ cards: cards.map((one) => sampleCard(one)), executions: new Map(), positions: new Map() })
const said = (groups: readonly CardGroup[]) =>
  groups.map(({ name, cards }) => [name, ...cards.map(({ card }) => card.id)])

const cards: Partial<BeadCard>[] = [
  { id: 'a', status: 'done', labels: ['ui'], assignee: 'ana' },
  { id: 'b', labels: ['docs', 'ui'], parent: 'ep' },
  { id: 'c', status: 'blocked', labels: ['ui'], assignee: 'beadloom', parent: 'gone' },
  { id: 'ep', type: 'epic', title: 'Another release' },
]

test('by state there is a column for each, even an empty one', () => {
  const groups = groupCards(lanesOf(cards), 'state', new Map())
  expect(groups.map(({ key, cards: its }) => `${key} ${its.length}`)).toEqual([
    'queued 0',
    'running 0',
    'blocked 1',
    'failed 0',
    'timeout 0',
    'open 2',
    'completed 1',
  ])
})

test('by label a bead appears once, under its first one, or at the end without one; each column is sorted like the states', () => {
  expect(said(groupCards(lanesOf(cards), 'label', new Map()))).toEqual([
    ['docs', 'b'],
    ['ui', 'c', 'a'],
    ['No label', 'ep'],
  ])
})

test('by epic the columns have the titles of the epics, or their ids if there is no such bead', () => {
  const beads = new Map(cards.map((one) => [one.id ?? '', sampleCard(one)]))
  expect(said(groupCards(lanesOf(cards), 'epic', beads))).toEqual([
    ['Another release', 'b'],
    ['gone', 'c'],
    ['No epic', 'ep', 'a'],
  ])
})

test('by priority there is a column for each, even an empty one, the most urgent first', () => {
  const lanes = lanesOf([
    { id: 'a', priority: 3 },
    { id: 'b', priority: 0, status: 'done' },
    { id: 'c', priority: 0 },
  ])
  expect(said(groupCards(lanes, 'priority', new Map()))).toEqual([
    ['P0 critical', 'c', 'b'],
    ['P1 high'],
    ['P2 normal'],
    ['P3 low', 'a'],
    ['P4 someday'],
  ])
})

test('by assignee: people and agents, and nobody', () => {
  expect(said(groupCards(lanesOf(cards), 'assignee', new Map()))).toEqual([
    ['ana', 'a'],
    ['beadloom', 'c'],
    ['Unassigned', 'b', 'ep'],
  ])
})

test('with too many groups the smallest share the last column, and none is lost', () => {
  const many = Array.from({ length: MOST_GROUPS + 3 }, (_, n) => ({
    id: `m${n}`,
    labels: [`l${String(n).padStart(2, '0')}`],
  }))
  const groups = groupCards(lanesOf([...many, { id: 'z', labels: ['l32'] }, { id: 'none' }]), 'label', new Map())
  expect(groups).toHaveLength(MOST_GROUPS)
  expect(groups.some(({ name }) => name === 'l32')).toBe(true)
  expect(groups.at(-1)).toMatchObject({ name: '5 more', lane: null })
  expect(groups.flatMap((group) => group.cards)).toHaveLength(many.length + 2)
})
