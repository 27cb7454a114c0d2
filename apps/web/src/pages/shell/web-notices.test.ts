import { expect, test } from 'vitest'
import { parseKinds, webNoticesOf } from './web-notices.ts'
import type { Notice } from '../../components/inbox/notices.ts'

const notice = (id: string): Notice => ({
  id,
  at: 1,
  about: 'b-1',
  word: 'failed: no output',
  tone: 'failed',
  text: 'It \u202Eended',
  place: { is: 'bead', bead: 'b-1' },
})

test('a desktop notification says what happened, with marks that reorder text made visible', () => {
  expect(webNoticesOf('mine', [notice('a')])).toEqual([
    { title: 'b-1 failed: no output', body: 'It ‹U+202E›ended', tag: 'mine a', of: notice('a') },
  ])
})
test('many at once become one', () => {
  expect(webNoticesOf('mine', ['a', 'b', 'c'].map(notice)).length).toBe(3)
  expect(webNoticesOf('mine', ['a', 'b', 'c', 'd'].map(notice))).toMatchObject([{ title: 'mine: 4 new notices' }])
})

test('all kinds but merged work are shown until a person chooses, and nonsense in the storage is no choice', () => {
  for (const text of [null, '{', '7', '{}'])
    expect(parseKinds(text)).toEqual(['needs_you', 'failed', 'budget', 'other'])
  expect(parseKinds('["merged","nope",3]')).toEqual(['merged'])
  expect(parseKinds('[]')).toEqual([])
})
