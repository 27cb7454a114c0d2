import { sampleCard, sampleView } from '../testing/sample-views.ts'
import { expect, test } from 'vitest'
import { nextSort, parseSort, sortCards, sortKeys, sortText } from './card-sort.ts'
import type { BoardCard } from './board-card.ts'

const item = (id: string, tokens: number | null, priority = 2): BoardCard => ({
  card: sampleCard({ id, priority }),
  execution: tokens === null ? null : sampleView({ tokens: { input: tokens, output: 0 } }),
  lane: 'open',
  position: null,
})
const ids = (cards: readonly BoardCard[]) => cards.map(({ card }) => card.id)
const cards = [item('b', 5), item('a', null), item('d', 9, 0), item('c', 5)]

test('without an order the list is as the board has it', () => {
  expect(sortCards(cards, null)).toBe(cards)
})
test('missing values are at the end both ways, and equal ones keep their order', () => {
  expect(ids(sortCards(cards, { by: 'tokens', down: false }))).toEqual(['d', 'b', 'c', 'a'])
  expect(ids(sortCards(cards, { by: 'tokens', down: true }))).toEqual(['b', 'c', 'd', 'a'])
  expect(ids(sortCards(cards, { by: 'priority', down: false }))).toEqual(['d', 'b', 'a', 'c'])
})
test('every column can be sorted', () => {
  for (const by of sortKeys) expect(sortCards(cards, { by, down: false })).toHaveLength(cards.length)
})
test('a column’s head cycles: by it, the other way, as before', () => {
  const first = nextSort(null, 'age')
  const second = nextSort(first, 'age')
  expect([first, second, nextSort(second, 'age')]).toEqual([
    { by: 'age', down: false },
    { by: 'age', down: true },
    null,
  ])
  expect(nextSort(second, 'id')).toEqual({ by: 'id', down: false })
})
test('an order survives the address, and nonsense in it is ignored', () => {
  for (const down of [false, true]) expect(parseSort(sortText({ by: 'took', down }))).toEqual({ by: 'took', down })
  expect(parseSort('colour')).toBeNull()
})
