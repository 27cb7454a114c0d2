import { expect, test } from 'vitest'
import { filterOfSearch, parseBoardSearch, withFacet, withoutFilter } from './board-search.ts'

test('a filter survives the address, with commas and per cent signs of its own', () => {
  const labels = ['a,b', '50%', '%2C', 'plain']
  const search = parseBoardSearch({ ...withFacet({ q: 'x' }, 'label', labels) })
  expect(filterOfSearch(search).on.label).toEqual(labels)
  expect(filterOfSearch(search).words).toBe('x')
})
test('unknown states and priorities are left out; the rest may be anything', () => {
  const { on } = filterOfSearch(parseBoardSearch({ state: 'failed,nonsense,queued', priority: '1,9,x', type: 'bug' }))
  expect(on).toMatchObject({ state: ['queued', 'failed'], priority: ['1'], type: ['bug'] })
  expect(parseBoardSearch({ priority: 1 }).priority).toBe('1')
  expect(parseBoardSearch({ state: ['failed'], sort: 'colour', view: 'tree' })).toEqual(parseBoardSearch({}))
})
test('without the filter one keeps the view and its order', () => {
  expect(withoutFilter({ q: 'x', label: 'y', view: 'list', sort: '-age' })).toEqual({ view: 'list', sort: '-age' })
})
test('the grouping of the columns is in the address: states are the default, and an agent is an assignee', () => {
  expect(parseBoardSearch({ group: 'epic' }).group).toBe('epic')
  expect(parseBoardSearch({ group: 'agent' }).group).toBe('assignee')
  expect(parseBoardSearch({ group: 'state' })).toEqual(parseBoardSearch({}))
  expect(parseBoardSearch({ group: 'colour' }).group).toBeUndefined()
  expect(withoutFilter({ q: 'x', group: 'label', lane: 'ui' })).toEqual({ group: 'label', lane: 'ui' })
})
