import type { BeadCard } from '../api/beads/bead-api.ts'
import { sampleCard, sampleView } from '../testing/sample-views.ts'
import { expect, test } from 'vitest'
import { parseBoardSearch } from './board-search.ts'
import { shownCards } from './shown-cards.ts'

const cards: Partial<BeadCard>[] = [
  { id: 'a', priority: 3, createdAt: 1 },
  { id: 'b', priority: 0, createdAt: 2, labels: ['ui'] },
  { id: 'c', priority: 1, status: 'in_progress', failed: true, execution: 'x' },
  { id: 'c1', followUpOf: 'c', labels: ['ui'] },
  { id: 'h', hidden: true, labels: ['ui'] },
]
const parts = {
  cards: cards.map((one) => sampleCard(one)),
  executions: new Map([['x', sampleView({ id: 'x' as never, state: 'FAILED' })]]),
  positions: new Map<string, number>(),
}
const shown = (search: Record<string, string>) =>
  shownCards(parts, parseBoardSearch(search)).map(({ name, cards: its }) => [name, ...its.map(({ card }) => card.id)])

test('a search without words and facets keeps follow-ups inside their beads, one with them shows them by themselves', () => {
  expect(shown({})).toEqual([
    ['failed', 'c'],
    ['open', 'b', 'a'],
  ])
  expect(shown({ label: 'ui' })).toEqual([['open', 'b', 'c1']])
  expect(shown({ q: 'nobody has this' })).toEqual([])
})

test('by state and sorted it is one list; other groups are sorted within', () => {
  expect(shown({ sort: '-age' })).toEqual([['', ...['a', 'b', 'c'].toSorted((x, y) => ageOf(x) - ageOf(y))]])
  expect(shown({ group: 'priority', sort: 'age' }).map(([name]) => name)).toEqual(['P0 critical', 'P1 high', 'P3 low'])
})

const ageOf = (id: string) => parts.cards.find((card) => card.id === id)?.createdAt ?? 0
