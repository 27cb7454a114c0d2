import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../ports/store.ts'
import { openTestStore, running, seededRandom, stepClock, world } from '../testing.ts'

let folder: string
let store: Store
let id: ExecutionId
/** Events that were there before those of a test. */
let before: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-events-'))
  store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
  world(store, ['a-1'])
  id = running(store, 'a-1')
  before = store.events(id, 0, 1000).length
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const add = (type: string, ...texts: string[]) => {
  for (const text of texts) store.addEvent(id, null, type, { text })
}
const all = { most: 1000, characters: 1e9 }

test('a part ends after a fixed number of events, wanted or not, and says where the next one begins', () => {
  add('message', '1', '2', '3')
  add('warning', '4', '5')
  const first = store.eventPart(id, before, { ...all, most: 4, types: ['warning'] })
  expect(first).toMatchObject({ rows: [{ data: { text: '4' } }], next: before + 4 })
  expect(store.eventPart(id, before + 4, { ...all, types: ['warning'] })).toMatchObject({
    rows: [{ data: { text: '5' } }],
    next: null,
  })
  expect(store.eventPart(id, before, { ...all, most: 5 }).next).toBeNull()
  expect(store.eventPart(id, Number.MAX_SAFE_INTEGER, all)).toEqual({ rows: [], next: null })
})

test('a part ends when its events are long, but has at least one', () => {
  const long = 'x'.repeat(1000)
  add('message', long, long, long)
  expect(store.eventPart(id, before, { ...all, characters: 1 })).toMatchObject({ rows: [{}], next: before + 1 })
  expect(store.eventPart(id, before, { ...all, characters: 1500 })).toMatchObject({ rows: [{}, {}], next: before + 2 })
  expect(store.eventPart(id, before + 2, { ...all, characters: 1 })).toMatchObject({ rows: [{}], next: null })
})

test('the newest event of some types is found within a range', () => {
  add('message', '1')
  add('warning', '2')
  add('usage', '3')
  const newest = (types: string[], after: number, below: number) =>
    store.newestEvent(id, types, { after: before + after, before: before + below })?.data
  expect(newest(['message', 'warning'], 0, 9)).toEqual({ text: '2' })
  expect(newest(['message', 'warning'], 0, 2)).toEqual({ text: '1' })
  expect(newest(['message', 'warning'], 2, 9)).toBeUndefined()
})
