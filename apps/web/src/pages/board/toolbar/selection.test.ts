import { expect, test } from 'vitest'
import { extendTo, nothingChosen, toggle } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].toSorted()

test('selecting twice deselects', () => {
  expect(ids(toggle(nothingChosen, 'a'))).toEqual(['a'])
  expect(ids(toggle(toggle(nothingChosen, 'a'), 'a'))).toEqual([])
})
test('a range goes from the last selected one, either way, and keeps the earlier selection', () => {
  const chosen = toggle(toggle(nothingChosen, 'a'), 'c')
  expect(ids(extendTo(chosen, order, 'e'))).toEqual(['a', 'c', 'd', 'e'])
  expect(ids(extendTo(toggle(nothingChosen, 'd'), order, 'b'))).toEqual(['b', 'c', 'd'])
})
test('a range without a beginning is one bead; to nowhere it is nothing', () => {
  expect(ids(extendTo(nothingChosen, order, 'b'))).toEqual(['b'])
  expect(ids(extendTo({ ids: new Set(), anchor: 'gone' }, order, 'b'))).toEqual(['b'])
  expect(ids(extendTo(nothingChosen, order, 'gone'))).toEqual([])
})
