import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '@beadloom/server/src/execution/live-execution.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { beginSession } from '@beadloom/server/src/sandbox/begin-session.ts'
import { openTestStore, running, seededRandom, world } from '@beadloom/server/src/store/testing.ts'

test('sessions of one execution that begin while the database is locked get a number each, in the order of asking', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sessions-at-once-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'beadloom.db')
  const clock = new HandClock()
  const store = openTestStore(file, { clock, random: seededRandom() })
  onTestFinished(() => store.close())
  world(store, ['a-1'])
  const id = running(store, 'a-1')
  const live = {
    id,
    deps: { store: store.patient },
    settings: { agent: 'built-in', model: null },
  } as unknown as LiveExecution
  const other = new Database(file)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  const all = Promise.all([
    beginSession(live, 'work', 1),
    beginSession(live, 'service', 1, undefined, 'db'),
    beginSession(live, 'verify', 1),
  ])
  other.exec('ROLLBACK')
  clock.advance(1_000)
  expect(await all).toEqual([1, 2, 3].map((number) => sessionIdOf(id, number)))
  expect(store.sessions(id).map(({ number, kind }) => [number, kind])).toEqual([
    [1, 'work'],
    [2, 'service'],
    [3, 'verify'],
  ])
})
