import { afterEach, beforeEach, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../ports/store.ts'
import { demo, openTestStore, seededRandom, stepClock, world } from '../testing.ts'

let store: Store
let folder: string
const open = () => openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-dismissals-'))
  store = open()
  world(store, [])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const change = (dismiss: string[], restore: string[] = []) => store.changeDismissed(demo, { dismiss, restore })

test('a dismissal survives a restart, counts once, and everybody who follows the project is told', () => {
  expect(store.dismissals(demo)).toBe(0)
  change(['a', 'b', 'a'])
  const [seq, number] = [store.seq(), store.dismissals(demo)]
  expect(store.dismissed(demo)).toEqual(['a', 'b'])
  change(['b'])
  expect([store.seq(), store.dismissals(demo)]).toEqual([seq, number]) // two browsers at once
  store.close()
  store = open()
  expect(store.dismissed(demo)).toEqual(['a', 'b'])
})

test('undoing a dismissal is a change, too', () => {
  change(['a', 'b'])
  const before = store.dismissals(demo)
  change([], ['a', 'never'])
  expect(store.dismissed(demo)).toEqual(['b'])
  expect(store.dismissals(demo)).toBeGreaterThan(before)
  change(['a'])
  expect(store.dismissed(demo)).toEqual(['b', 'a'])
})

test('the newest five hundred are kept, and they go with the project', () => {
  for (let from = 0; from < 700; from += 100) change(Array.from({ length: 100 }, (_, n) => `n-${from + n}`))
  expect(store.dismissed(demo)).toHaveLength(500)
  expect(store.dismissed(demo).at(-1)).toBe('n-699')
  store.removeProject(demo)
  expect(store.dismissed(demo)).toEqual([])
})
