import { expect, test } from 'vitest'
import { rankingOf } from './rank.ts'

const bead = (name: string, title: string, also = '') => ({ name, title, also })
const found = (query: string, ...items: { name: string; title: string; also: string }[]) =>
  rankingOf(items)(query, 10).items.map(({ name, title }) => name || title)

test('an id comes before titles that have the same letters, with and without its prefix', () => {
  const items = [bead('bd-1', 'Explain a1f2 in the guide'), bead('bd-a1f', 'Other'), bead('bd-a1f2', 'Add a retry')]
  expect(found('bd-a1f2', ...items)).toEqual(['bd-a1f2'])
  expect(found('a1f2', ...items)).toEqual(['bd-a1f2', 'bd-1'])
  expect(found('A1F', ...items)).toEqual(['bd-a1f', 'bd-a1f2', 'bd-1'])
})
test('the start of a word comes before its middle, and skipped letters come last', () => {
  const items = [bead('b-1', 'Reroute the entry'), bead('b-2', 'Poetry of logs'), bead('b-3', 'Do not try again')]
  expect(found('try', ...items)).toEqual(['b-3', 'b-1', 'b-2'])
  expect(found('rtry', bead('b-4', 'Add a retry to the uploader'), ...items)).toEqual(['b-4'])
})
test('letters that lie far apart find nothing', () => {
  expect(found('xyz', bead('b-1', 'xylophones in a large orchestra with zest'))).toEqual([])
})
test('every word must be found, in any order, even among hidden words', () => {
  const items = [bead('', 'Go to the board', 'home kanban'), bead('', 'Go to the settings', 'options')]
  expect(found('board go', ...items)).toEqual(['Go to the board'])
  expect(found('kan go', ...items)).toEqual(['Go to the board'])
  expect(found('go nowhere', ...items)).toEqual([])
})
test('without a query the given order stays, and the total says how many are hidden', () => {
  const rank = rankingOf([bead('b-1', 'One'), bead('b-2', 'Two'), bead('b-3', 'Three')])
  expect(rank('  ', 2)).toMatchObject({ items: [{ name: 'b-1' }, { name: 'b-2' }], total: 3 })
  expect(rank('t', 1)).toMatchObject({ items: [{ name: 'b-2' }], total: 2 })
})
test('equally good matches keep their order', () => {
  expect(found('fix', bead('b-2', 'Fix it'), bead('b-1', 'Fix that'))).toEqual(['b-2', 'b-1'])
})
test('characters of regular expressions and other scripts are letters like all others', () => {
  expect(found('(.*', bead('b-1', 'Escape (.*) in names'))).toEqual(['b-1'])
  expect(found('прав', bead('b-1', 'Новые правила'))).toEqual(['b-1'])
})
