import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadDraft, noDraft, saveDraft } from './message-drafts.ts'

let inBrowser: string | null
beforeEach(() => {
  inBrowser = null
  const setItem = (_: string, value: string) => void (inBrowser = value)
  vi.stubGlobal('localStorage', { getItem: () => inBrowser, setItem })
})
afterEach(() => vi.unstubAllGlobals())

test('a draft belongs to an execution and keeps when it counts; an emptied or sent one is gone', () => {
  saveDraft('ex-1', { text: 'Use the parser', when: 'turn' })
  saveDraft('ex-2', { text: 'Stop that', when: 'step' })
  expect([loadDraft('ex-1'), loadDraft('ex-3')]).toEqual([{ text: 'Use the parser', when: 'turn' }, noDraft])
  saveDraft('ex-1', { text: '', when: 'turn' })
  expect(loadDraft('ex-1')).toEqual(noDraft)
  expect(JSON.parse(inBrowser ?? '')).toEqual([['ex-2', { text: 'Stop that', when: 'step' }]])
})

test('nonsense in the browser’s storage is no draft', () => {
  for (const draft of ['"text"', '{"text":"a"}', '{"text":"a","when":"soon"}', '{"text":1,"when":"step"}', 'null']) {
    inBrowser = `[["ex-1",${draft}]]`
    expect(loadDraft('ex-1')).toEqual(noDraft)
  }
})
