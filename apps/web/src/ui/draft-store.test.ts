import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftStore, hasTexts } from './draft-store.ts'

type Draft = { text: string }
const read = (value: unknown): Draft | null => (hasTexts(value, 'text') ? value : null)
const opened = () => draftStore<Draft>('drafts', read)

let inTab: Map<string, string>
beforeEach(() => {
  inTab = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => inTab.get(key) ?? null,
    setItem: (key: string, value: string) => void inTab.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a draft survives a reload of the tab, and is gone once it has been sent', () => {
  const before = opened()
  before.keep('a', { text: 'half' })
  before.keep('b', { text: 'done' })
  before.forget('b')
  const after = opened()
  expect([after.get('a'), after.get('b')]).toEqual([{ text: 'half' }, null])
})

test('the newest twenty are kept', () => {
  const store = opened()
  for (let n = 0; n < 25; n++) store.keep(`d${n}`, { text: String(n) })
  store.keep('d5', { text: 'again' })
  expect(Array.from({ length: 25 }, (_, n) => store.get(`d${n}`) !== null).indexOf(true)).toBe(5)
  expect(opened().get('d4')).toBeNull()
})

test.each(['no JSON', '{}', '[["a",{"text":7}]]', '[7,["a"]]'])('nonsense in the storage is ignored: %s', (text) => {
  inTab.set('drafts', text)
  expect(opened().get('a')).toBeNull()
})

test('without a storage a draft lasts as long as the page', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new Error('denied')
    },
    setItem: () => {
      throw new Error('full')
    },
  })
  const store = opened()
  store.keep('a', { text: 'half' })
  expect(store.get('a')).toEqual({ text: 'half' })
})
