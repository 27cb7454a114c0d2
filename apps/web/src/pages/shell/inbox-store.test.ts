import { expect, test } from 'vitest'
import { dismiss, inboxStore, learnDismissed, markRead, putNotices, restore, unreadOf } from './inbox-store.ts'
import type { Notice } from '../../components/inbox/notices.ts'

const notice = (id: string, at: number): Notice => ({
  id,
  at,
  about: 'b-1',
  word: 'failed',
  tone: 'failed',
  text: '',
  place: { is: 'sync' },
})
const ids = (notices: readonly Notice[]) => notices.map(({ id }) => id)

test('only unknown entries are new, and trouble keeps the time in which it was first seen', () => {
  expect(ids(putNotices('one', [notice('a', 10)], 20))).toEqual(['a'])
  const before = inboxStore.getState()
  expect(putNotices('one', [notice('a', 90)], 100)).toEqual([])
  expect(inboxStore.getState()).toBe(before)
  expect(ids(putNotices('one', [notice('a', 90), notice('b', 95)], 100))).toEqual(['b'])
  expect(inboxStore.getState().notices.map(({ at }) => at)).toEqual([95, 10])
})
test('read entries are no longer counted, and another project has its own inbox', () => {
  putNotices('two', [notice('a', 10), notice('b', 11)], 20)
  markRead([notice('a', 10)])
  expect(ids(unreadOf(inboxStore.getState()))).toEqual(['b'])
  expect(ids(putNotices('three', [notice('a', 10)], 20))).toEqual(['a'])
  expect(ids(unreadOf(inboxStore.getState()))).toEqual(['a'])
})

test('an entry dismissed here or in another browser is gone and stays away; taken back, it is where it was', () => {
  const [a, b, c] = [notice('a', 10), notice('b', 11), notice('c', 12)] as const
  const shown = () => ids(inboxStore.getState().notices)
  expect(learnDismissed('four', ['a'], 20)).toEqual([])
  putNotices('four', [a, b, c], 20)
  expect(shown()).toEqual(['c', 'b'])
  dismiss([c])
  expect(putNotices('four', [a, b, c], 30)).toEqual([])
  expect(shown()).toEqual(['b'])
  restore([c])
  expect(shown()).toEqual(['c', 'b'])
  learnDismissed('four', ['a', 'b'], 40)
  expect(shown()).toEqual(['c'])
  putNotices('five', [a], 20)
  expect(shown()).toEqual(['a'])
})
test('trouble that is over leaves by itself, and events stay', () => {
  const trouble = { ...notice('t', 10), standing: true as const }
  putNotices('six', [trouble, notice('a', 11)], 20)
  putNotices('six', [], 30)
  expect(ids(inboxStore.getState().notices)).toEqual(['a'])
})
