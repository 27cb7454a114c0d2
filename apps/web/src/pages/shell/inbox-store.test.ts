import { expect, test } from 'vitest'
import { inboxStore, markRead, putNotices, unreadOf } from './inbox-store.ts'
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

test('only what was not there before is new, and trouble keeps the time in which it was seen first', () => {
  expect(ids(putNotices('one', [notice('a', 10)], 20))).toEqual(['a'])
  const before = inboxStore.getState()
  expect(putNotices('one', [notice('a', 90)], 100)).toEqual([])
  expect(inboxStore.getState()).toBe(before)
  expect(ids(putNotices('one', [notice('a', 90), notice('b', 95)], 100))).toEqual(['b'])
  expect(inboxStore.getState().notices.map(({ at }) => at)).toEqual([95, 10])
})
test('what is read is not counted any more, and another project has an inbox of its own', () => {
  putNotices('two', [notice('a', 10), notice('b', 11)], 20)
  markRead([notice('a', 10)])
  expect(ids(unreadOf(inboxStore.getState()))).toEqual(['b'])
  expect(ids(putNotices('three', [notice('a', 10)], 20))).toEqual(['a'])
  expect(ids(unreadOf(inboxStore.getState()))).toEqual(['a'])
})
