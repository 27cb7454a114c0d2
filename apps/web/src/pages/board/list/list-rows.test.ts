import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import { sampleCard } from '@beadloom/core/testing/sample-views.ts'
import { expect, test } from 'vitest'
import { listRows } from './list-rows.ts'
import { boardLanes } from '../../../feed/lanes.ts'

const cards: Partial<BeadCard>[] = [
  { id: 'a', priority: 1, labels: ['ui'] },
  { id: 'b', priority: 3, labels: ['docs'] },
  { id: 'c', priority: 0, labels: ['ui'], status: 'done' },
]
const beads = new Map(cards.map((one) => sampleCard(one)).map((one) => [one.id, one]))
const all = boardLanes({ epoch: 'e', seq: 1, projects: new Map(), beads, executions: new Map(), status: null }, [])
const rows = (...[by, sort]: [Parameters<typeof listRows>[1], Parameters<typeof listRows>[3]]) =>
  listRows(all, by, beads, sort).map((row) => (row.item === null ? `# ${row.group.name}` : row.key))

test('each state has its name above its beads, and empty ones are left out', () => {
  expect(rows('state', null)).toEqual(['# open', 'a', 'b', '# completed', 'c'])
})

test('when sorted, the states are one list', () => {
  expect(rows('state', { by: 'priority', down: false })).toEqual(['c', 'a', 'b'])
})

test('when sorted, other groups stay, each sorted by itself', () => {
  expect(rows('label', { by: 'priority', down: false })).toEqual(['# docs', 'b', '# ui', 'c', 'a'])
})
