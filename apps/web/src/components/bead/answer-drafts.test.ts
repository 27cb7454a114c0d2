import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadDraft, saveDraft } from './answer-drafts.ts'

let inBrowser: string | null
const kept = (): unknown => JSON.parse(inBrowser ?? '[]')
beforeEach(() => {
  inBrowser = null
  const setItem = (_: string, value: string) => void (inBrowser = value)
  vi.stubGlobal('localStorage', { getItem: () => inBrowser, setItem })
})
afterEach(() => vi.unstubAllGlobals())

test('a draft belongs to the execution that asks, and an emptied or sent one is gone', () => {
  saveDraft('ex-1', 'MIT')
  saveDraft('ex-2', 'no')
  const two = inBrowser
  saveDraft('ex-1', 'GPL')
  expect(kept()).toEqual([
    ['ex-2', 'no'],
    ['ex-1', 'GPL'],
  ])
  inBrowser = two
  saveDraft('ex-2', '')
  expect(kept()).toEqual([['ex-1', 'MIT']])
})

test('the newest twenty drafts are kept', () => {
  for (let n = 0; n < 30; n++) saveDraft(`ex-${n}`, 'text')
  expect(kept()).toHaveLength(20)
  expect((kept() as [string, string][]).at(-1)?.[0]).toBe('ex-29')
})

test('nonsense in the browser’s storage is no draft', () => {
  for (const text of ['', '{', '{}', 'null', '[1]', '[["a"]]', '[["a",1]]']) {
    inBrowser = text
    expect(loadDraft('a')).toBe('')
  }
  inBrowser = '[["ex-1","text"],["ex-2"]]'
  expect([loadDraft('ex-1'), loadDraft('ex-2')]).toEqual(['text', ''])
})
