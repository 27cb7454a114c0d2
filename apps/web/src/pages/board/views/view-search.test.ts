import { expect, test } from 'vitest'
import { defaultOf, searchOf, searchText, viewOf } from './view-search.ts'

const view = (over: object) => ({ id: 1, name: 'View', search: '', isDefault: false, forAll: false, ...over })

test('a view keeps filter, groups, order and layout, and not the column of a small screen', () => {
  const text = searchText({ q: 'a b&c', state: 'failed', group: 'priority', view: 'list', sort: '-age', lane: 'open' })
  expect(text).toBe('q=a+b%26c&state=failed&group=priority&view=list&sort=-age')
  expect(searchText(searchOf(text))).toBe(text)
})

test('settings that nobody can have saved by the dashboard are left out', () => {
  expect(searchText(searchOf('group=nonsense&sort=evil&state=failed,nowhere&x=%3Cscript%3E'))).toBe('state=failed')
})

test('the present view is found whatever the order of its parts, and a changed one is none', () => {
  const views = [view({ id: 7, search: 'group=label&q=ui' })]
  expect(viewOf(views, { q: 'ui', group: 'label', lane: 'open' })?.id).toBe(7)
  expect(viewOf(views, { q: 'ui' })).toBeNull()
})

test("the board opens with the project's own default before a shared one", () => {
  expect(defaultOf([view({ id: 1 })])).toBeNull()
  expect(defaultOf([view({ id: 1 }), view({ id: 2, forAll: true, isDefault: true })])?.id).toBe(2)
  expect(defaultOf([view({ id: 2, forAll: true, isDefault: true }), view({ id: 3, isDefault: true })])?.id).toBe(3)
})
