import type { BeadCard } from '../api/beads/bead-api.ts'
import { sampleCard } from '../testing/sample-views.ts'
import { describe, expect, test } from 'vitest'
import { choicesIn, filterOf, isFiltered, noFilter, NOBODY } from './board-filter.ts'
import type { BoardFilter, Facet } from './board-filter.ts'
import type { BoardCard, Lane } from './board-card.ts'

const item = (given: Partial<BeadCard>, lane: Lane = 'open'): BoardCard => ({
  card: sampleCard(given),
  execution: null,
  lane,
  position: null,
})
const having = (words: string, on: Partial<Record<Facet, string[]>> = {}): BoardFilter => ({
  words,
  on: { ...noFilter.on, ...on },
})

describe('words', () => {
  const parser = item({
    id: 'bl-4f2',
    title: 'Fix the Parser',
    labels: ['infra'],
    priority: 1,
    assignee: 'ada',
    parent: 'bl-9',
  })
  test.each(['', 'parser', 'BL-4', 'fix infra', 'p1', 'task', 'ada', 'bl-9'])('find it by “%s”', (words) => {
    expect(filterOf(having(words))(parser)).toBe(true)
  })
  test('must all be there', () => {
    expect(filterOf(having('fix lexer'))(parser)).toBe(false)
  })
})

describe('facets', () => {
  const cards = [
    item({ id: 'a', labels: ['ui', 'api'], priority: 0 }, 'failed'),
    item({ id: 'b', labels: ['ui'], priority: 3, assignee: 'ada' }, 'failed'),
    item({ id: 'c', type: 'bug', parent: 'e-1' }, 'queued'),
  ]
  const found = (filter: BoardFilter) => cards.filter(filterOf(filter)).map(({ card }) => card.id)

  test('need one of their values each, and every active facet must match', () => {
    expect(found(having('', { label: ['api', 'ui'] }))).toEqual(['a', 'b'])
    expect(found(having('', { label: ['ui'], priority: ['3'] }))).toEqual(['b'])
    expect(found(having('bug', { state: ['failed', 'queued'] }))).toEqual(['c'])
    expect(found(having('', { epic: ['e-1'] }))).toEqual(['c'])
    expect(found(having('', { assignee: [NOBODY] }))).toEqual(['a', 'c'])
  })
  test('are counted beside the other facets, and can always be switched off', () => {
    const filter = having('', { state: ['failed'], label: ['gone'] })
    expect(choicesIn(cards, filter, 'state')).toEqual([{ value: 'failed', count: 0 }])
    expect(choicesIn(cards, filter, 'label')).toEqual([
      { value: 'ui', count: 2 },
      { value: 'api', count: 1 },
      { value: 'gone', count: 0 },
    ])
    expect(choicesIn(cards, having(''), 'state')).toEqual([
      { value: 'queued', count: 1 },
      { value: 'failed', count: 2 },
    ])
    expect(choicesIn(cards, having(''), 'priority').map(({ value }) => value)).toEqual(['0', '2', '3'])
  })
  test('without a value are no filter', () => {
    expect(isFiltered(noFilter)).toBe(false)
    expect(isFiltered(having('', { epic: ['e-1'] }))).toBe(true)
  })
})
