import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import type { Store } from '../ports/store.ts'
import { bead, demo, openTestStore, tracked, world } from './testing.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

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
const again = () => {
  store.close()
  store = open()
}
const request = (key: string, digest = 'd') => ({ scope: 'post /api/things', key, digest })
const answer = (body = '{"id":1}') => ({ status: 201, body, seq: 7 })
const hour = 3_600_000

test('an answer is the same after a restart, and another body under its key is reported', () => {
  store.answerRequest(request('one'), answer())
  again()
  expect(store.knownRequest(request('one'))).toEqual({ is: 'answered', answer: answer() })
  expect(store.knownRequest(request('one', 'other'))).toEqual({ is: 'other body' })
  expect(store.knownRequest({ ...request('one'), scope: 'post /api/others' })).toEqual({ is: 'open', made: null })
})

test('a creation without an answer is found by its id', () => {
  store.makeOnce(
    request('one'),
    () => store.addBead(tracked('a-2')),
    ({ id }) => id,
  )
  again()
  expect(store.knownRequest(request('one'))).toEqual({ is: 'open', made: 'a-2' })
  store.answerRequest(request('one'), answer())
  expect(store.knownRequest(request('one'))).toMatchObject({ is: 'answered' })
})

test('a creation and the note of it are written together or not at all', () => {
  const half = () =>
    store.makeOnce(
      request('one'),
      () => store.addBead(tracked('a-2')),
      () => {
        throw new Error('between the two')
      },
    )
  expect(half).toThrow('between the two')
  expect(store.bead(demo, bead('a-2'))).toBeNull()
  expect(store.knownRequest(request('one'))).toEqual({ is: 'open', made: null })
})

test('a request that created nothing is noted nowhere', () => {
  store.makeOnce(
    request('one'),
    () => 'refused',
    () => null,
  )
  expect(store.knownRequest(request('one'))).toEqual({ is: 'open', made: null })
})

test('a key is forgotten after a day, and may then be used anew', () => {
  store.answerRequest(request('one'), answer())
  clock.advance(24 * hour - 1)
  expect(store.knownRequest(request('one', 'other'))).toEqual({ is: 'other body' })
  clock.advance(1)
  expect(store.knownRequest(request('one', 'other'))).toEqual({ is: 'open', made: null })
  store.answerRequest(request('one', 'other'), answer('{}'))
  expect(store.knownRequest(request('one', 'other'))).toEqual({ is: 'answered', answer: answer('{}') })
})

longTest('their number is bounded: the oldest go', () => {
  for (let at = 0; at < 10_100; at++) {
    store.answerRequest(request(`key-${at}`), answer())
    clock.advance(1)
  }
  const known = (at: number) => store.knownRequest(request(`key-${at}`)).is
  expect([known(0), known(50), known(10_099)]).toEqual(['open', 'open', 'answered'])
})

test('so are their bytes, and a very long answer is not kept at all', () => {
  const long = `"${'x'.repeat(200_000)}"`
  for (let at = 0; at < 256; at++) {
    store.answerRequest(request(`key-${at}`), answer(long))
    clock.advance(1)
  }
  expect(store.knownRequest(request('key-0')).is).toBe('open')
  expect(store.knownRequest(request('key-255')).is).toBe('answered')
  store.answerRequest(request('too long'), answer(`"${'x'.repeat(300_000)}"`))
  expect(store.knownRequest(request('too long')).is).toBe('open')
})
