// @suite unit-long
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { openStore, type OpenStore } from '../open-store.ts'
import { bead, demo, executionId, running, seededRandom, world } from '../testing.ts'
import { connect } from './connection.ts'
import { Patience } from './patience.ts'
import { News, writerOf, type Passage } from './writer.ts'

/* Another connection holds the database's lock, as another program would. */
let folder: string
let clock: HandClock
let store: OpenStore
let other: Database.Database
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-patience-'))
  const file = join(folder, 'beadloom.db')
  clock = new HandClock()
  store = openStore(file, { clock, random: seededRandom() })
  world(store, ['a-1', 'a-2'])
  other = new Database(file)
})
afterEach(() => {
  other.close()
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const lock = () => other.exec('BEGIN IMMEDIATE')
const letGo = () => other.exec('ROLLBACK')
const later = async (ms: number) => {
  for (let passed = 0; passed < ms; passed += 500) {
    clock.advance(500)
    await nextTurn()
  }
}

test('a caller that waits for a locked database is answered once it is free, however late, and in the order of asking', async () => {
  const execution = running(store, 'a-1')
  lock()
  const order: string[] = []
  const events = ['one', 'two', 'three'].map((type) =>
    Promise.resolve(store.patient.addEvent(execution, null, type, null)).then(() => order.push(type)),
  )
  await later(60_000)
  expect(order).toEqual([])
  letGo()
  await later(1_000)
  await Promise.all(events)
  expect(order).toEqual(['one', 'two', 'three'])
  const types = store.events(execution, 0, 100).map(({ type }) => type)
  expect(types.slice(-3)).toEqual(['one', 'two', 'three'])
})

test('a caller that cannot wait is told at once, and does not overtake waiting ones', async () => {
  const execution = running(store, 'a-1')
  lock()
  expect(() => store.addEvent(execution, null, 'prompt', null)).toThrow(/another program holds the lock/)
  const waiting = store.patient.addEvent(execution, null, 'first', null)
  letGo()
  expect(() => store.addEvent(execution, null, 'second', null)).toThrow(expect.objectContaining({ kind: 'busy' }))
  await later(1_000)
  await waiting
  store.addEvent(execution, null, 'third', null)
  expect(
    store
      .events(execution, 0, 100)
      .map(({ type }) => type)
      .slice(-2),
  ).toEqual(['first', 'third'])
})

test('the trouble has the time of the first refusal, and is over with the first write', async () => {
  lock()
  const since = clock.now()
  expect(await store.writable(0)).toBe(false)
  await later(30_000)
  expect(await store.writable(0)).toBe(false)
  expect(store.trouble()).toMatchObject({ kind: 'busy', since, text: expect.stringContaining('another program') })
  letGo()
  expect(await store.writable(0)).toBe(true)
  expect(store.trouble()).toBeNull()
})

test('a refusal that is no trouble is the answer, even for a caller that has waited', async () => {
  lock()
  const asked = Promise.resolve(store.patient.noteExecution(executionId('z'), { attempt: 1 }))
  const refused = expect(asked).rejects.toMatchObject({ kind: 'missing' })
  letGo()
  await later(1_000)
  await refused
})

test('reads are answered while the database is locked, and a write to a free one is done at once', async () => {
  void store.patient.moveBead(demo, bead('a-2'), { type: 'closed' })
  expect(store.bead(demo, bead('a-2'))?.status).toBe('done')
  lock()
  expect(store.beads(demo)).toHaveLength(2)
  letGo()
})

test('a grown write-ahead log is folded in by another thread, while writers wait', async () => {
  const execution = running(store, 'a-1')
  // The file itself: a look into the database would be one more reader that keeps the log from being folded.
  const wal = () => statSync(join(folder, 'beadloom.db-wal')).size
  const text = 'x'.repeat(64 * 1024)
  for (let number = 0; number < 192; number++) void store.patient.addEvent(execution, null, 'text', { number, text })
  expect(wal()).toBeGreaterThan(8_000_000)
  await expect.poll(wal).toBeLessThan(500_000)
  await later(2_000)
  await store.patient.addEvent(execution, null, 'last', null)
  expect(store.lastEvent(execution, 'last')).not.toBeNull()
  expect(store.events(execution, 0, 1000).filter(({ type }) => type === 'text')).toHaveLength(192)
})

test('tidying up waits for changes that have begun, and not for ever', async () => {
  const patience = new Patience(clock)
  const ends = [patience.beginChange(), patience.beginChange()]
  let isHeld = false
  const hold = () => patience.hold(5_000).then(() => (isHeld = true))
  void hold()
  ends[0]?.()
  ends[0]?.()
  await nextTurn()
  patience.admit()
  expect(isHeld).toBe(false)
  ends[1]?.()
  await nextTurn()
  expect(isHeld).toBe(true)
  expect(() => patience.admit()).toThrow('being tidied up')

  patience.release()
  patience.beginChange()
  isHeld = false
  void hold()
  await nextTurn()
  patience.admit()
  clock.advance(5_000)
  await nextTurn()
  expect(isHeld).toBe(true)
})

test('a full disk is waited for in the same way', async () => {
  const { db, close } = connect(join(folder, 'small.db'))
  const patience = new Patience(clock)
  const nothing = { committed: () => {} }
  const passage = { patience, disk: nothing, checkpoints: nothing, inPlace: { admit() {} } } as unknown as Passage
  const write = writerOf(db, new News(() => {}), join(folder, 'small.db'), passage)
  db.exec('CREATE TABLE t (text TEXT)')
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`)
  const fill = () => write(() => db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(100_000)).changes)
  const filled = patience.inTurn(fill)
  await later(60_000)
  expect(patience.trouble).toMatchObject({ kind: 'no-space', text: expect.stringContaining('free some space') })
  db.pragma('max_page_count = 10000')
  await later(1_000)
  expect(await filled).toBe(1)
  expect(patience.trouble).toBeNull()
  close()
})
