// @suite unit-long

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import type { Store } from '../ports/store.ts'
import { openTestStore, world } from './testing.ts'

let folder: string
let clock: HandClock
let store: Store
const open = () => openTestStore(join(folder, 'beadloom.db'), { clock, random: () => 0.5 })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'request-keys-'))
  clock = new HandClock()
  store = open()
  world(store, ['a-1'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})
const request = (key: string, digest = 'd') => ({ scope: 'post /api/things', key, digest })
const answer = (body = '{"id":1}') => ({ status: 201, body, seq: 7 })

test('their number is bounded: the oldest go', () => {
  for (let at = 0; at < 10_100; at++) {
    store.answerRequest(request(`key-${at}`), answer())
    clock.advance(1)
  }
  const known = (at: number) => store.knownRequest(request(`key-${at}`)).is
  expect([known(0), known(50), known(10_099)]).toEqual(['open', 'open', 'answered'])
})
