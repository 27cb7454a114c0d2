import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../ports/store.ts'
import { demo, openTestStore, stepClock, world } from './testing.ts'

let folder: string
let store: Store
const open = () => openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: () => 0.5 })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remembered-'))
  world((store = open()), [])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})
const again = () => {
  store.close()
  store = open()
}

test('the next server knows the image of a project’s agents, for each of its last settings', () => {
  for (let n = 1; n <= 10; n++) store.rememberEnvironment(demo, `settings ${n}`, `sha256:${n}`)
  store.rememberEnvironment(demo, 'settings 9', 'sha256:90')
  again()
  expect([1, 2, 3, 9, 10].map((n) => store.environment(demo, `settings ${n}`))).toEqual([
    null,
    null,
    'sha256:3',
    'sha256:90',
    'sha256:10',
  ])
})

test('a missing image is forgotten for every project that was made from it', () => {
  for (const from of ['a', 'b']) store.rememberEnvironment(demo, from, 'sha256:1')
  store.rememberEnvironment(demo, 'c', 'sha256:2')
  store.forgetEnvironment('sha256:1')
  expect(['a', 'b', 'c'].map((from) => store.environment(demo, from))).toEqual([null, null, 'sha256:2'])
})

test('the next server knows where containers were opened last', () => {
  expect(store.engine()).toBe(null)
  store.rememberEngine('one')
  store.rememberEngine('two')
  again()
  expect(store.engine()).toBe('two')
})
