import { expect, test } from 'vitest'
import { lastList, rememberList, stepIn } from './board-memory.ts'

test('the next bead is that of the list that the person came from, and the list has an end', () => {
  rememberList('mine', () => ['b-2', 'b-1', 'b-3'])
  const ids = lastList('mine') ?? []
  expect([stepIn(ids, 'b-2', 1), stepIn(ids, 'b-1', -1)]).toEqual(['b-1', 'b-2'])
  expect([stepIn(ids, 'b-3', 1), stepIn(ids, 'b-2', -1)]).toEqual([null, null])
  expect(lastList('other')).toBeNull()
})
test('a person who came from elsewhere begins with the first', () => {
  expect(stepIn(['b-2', 'b-1'], 'b-9', 1)).toBe('b-2')
  expect(stepIn([], 'b-9', -1)).toBeNull()
})
