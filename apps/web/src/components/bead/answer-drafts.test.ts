import { expect, test } from 'vitest'
import { parseDrafts, withDraft } from './answer-drafts.ts'

test('a draft belongs to the execution that asks, and one that is emptied or sent is gone', () => {
  const two = withDraft(withDraft([], 'ex-1', 'MIT'), 'ex-2', 'no')
  expect(withDraft(two, 'ex-1', 'GPL')).toEqual([
    ['ex-2', 'no'],
    ['ex-1', 'GPL'],
  ])
  expect(withDraft(two, 'ex-2', '')).toEqual([['ex-1', 'MIT']])
})

test('twenty drafts are kept, the newest', () => {
  let drafts = parseDrafts(null)
  for (let n = 0; n < 30; n++) drafts = withDraft(drafts, `ex-${n}`, 'text')
  expect(drafts).toHaveLength(20)
  expect(drafts.at(-1)?.[0]).toBe('ex-29')
})

test('nonsense in the browser’s storage is no draft', () => {
  for (const text of ['', '{', '{}', 'null', '[1]', '[["a"]]', '[["a",1]]']) expect(parseDrafts(text)).toEqual([])
  expect(parseDrafts('[["ex-1","text"],["ex-2"]]')).toEqual([['ex-1', 'text']])
})
