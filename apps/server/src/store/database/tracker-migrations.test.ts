import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../ports/store.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { openStore } from '../open-store.ts'
import { bead, demo, executionId, stepClock, tracked } from '../testing.ts'

/* Upgrades the databases, with their rows, of servers that wrote to no tracker yet, or knew no claims there. */
let folder: string
let file: string
let store: Store | null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tracker-migrations-'))
  file = join(folder, 'data', 'beadloom.db')
  store = null
})
afterEach(() => {
  store?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The schema from before the migration with this number. */
function databaseBefore(number: number): Database.Database {
  mkdirSync(dirname(file), { recursive: true })
  const db = new Database(file)
  migrate(
    db,
    file,
    migrations.filter(({ version }) => version < number),
  )
  db.prepare(`INSERT INTO project (id, source, added_at, name) VALUES ('demo', '/repos/demo', 1, 'Demo')`).run()
  return db
}

const insert = (db: Database.Database, id: string, status: string, word: string, more: object = {}) =>
  db
    .prepare(
      `INSERT INTO bead (project, id, title, description, status, tracker_status, priority, type, labels, dependencies,
         created_at, updated_at, pinned, ephemeral, template, raw, fingerprint, decided, local, gone)
       VALUES ('demo', @id, 'Title', 'Text', @status, @word, 1, 'task', '["ui"]', '[]', 1, 1, 0, 0, 0, NULL, 'f',
         @decided, @local, @gone)`,
    )
    .run({ id, status, word, decided: 0, local: 0, gone: 0, ...more })

const execute = (db: Database.Database, letter: string, of: string, state: string) =>
  db.transaction(() => {
    db.prepare(
      `INSERT INTO execution (id, project, bead, kind, state, branch, context, former_bead_status, max_attempts, queued_at)
       VALUES (?, 'demo', ?, 'work', 'QUEUED', 'beads-x', 'why', 'open', 3, ?)`,
    ).run(executionId(letter), of, letter.charCodeAt(0))
    if (state === 'QUEUED') return
    db.prepare(`UPDATE execution SET state = 'RUNNING', started_at = 5, deadline_at = 9 WHERE id = ?`).run(
      executionId(letter),
    )
    if (state !== 'RUNNING')
      db.prepare(`UPDATE execution SET state = ?, ended_at = 7 WHERE id = ?`).run(state, executionId(letter))
  })()

const upgraded = (): Store => (store = openStore(file, { clock: stepClock(), random: () => 0.5 }))

test('a database without a queue for the tracker keeps its beads and executions, and their decisions and follow-ups are queued', () => {
  const db = databaseBefore(3)
  insert(db, 'a-1', 'done', 'open', { decided: 1 })
  insert(db, 'a-2', 'timeout', 'blocked', { decided: 1 })
  insert(db, 'a-3', 'open', 'open')
  insert(db, 'a-4', 'open', 'open', { local: 1 })
  insert(db, 'a-5', 'done', 'open', { decided: 1, gone: 1 })
  execute(db, 'a', 'a-1', 'COMPLETED')
  db.close()
  const now = upgraded()
  expect(now.projects()).toMatchObject([{ id: 'demo', name: 'Demo' }])
  expect(now.beads(demo).map(({ id, status }) => [id, status])).toEqual([
    ['a-1', 'done'],
    ['a-2', 'timeout'],
    ['a-3', 'open'],
    ['a-4', 'open'],
    ['a-5', 'done'],
  ])
  expect(now.bead(demo, bead('a-1'))).toMatchObject({ title: 'Title', description: 'Text', labels: ['ui'] })
  expect(now.execution(executionId('a'))).toMatchObject({ state: 'COMPLETED', context: 'why', endedAt: 7 })
  const waiting = now.trackerQueue(demo, 0, -1, 10).map((change) => [change.kind, change.bead])
  // The tracker already has its word for a-2, "blocked", and nothing is written about a bead that is gone.
  expect(waiting).toEqual([
    ['create', 'a-4'],
    ['status', 'a-1'],
  ])
})

test('a database without claims: nobody has one until the tracker is read; an execution of then closes its bead', () => {
  const db = databaseBefore(7)
  insert(db, 'a-1', 'in_progress', 'in_progress', { decided: 1 })
  insert(db, 'a-2', 'in_progress', 'in_progress')
  insert(db, 'a-3', 'open', 'open')
  execute(db, 'a', 'a-1', 'RUNNING')
  execute(db, 'b', 'a-3', 'QUEUED')
  db.close()
  const now = upgraded()
  expect(now.beads(demo).filter(({ claimedBy }) => claimedBy !== undefined)).toEqual([])
  now.replaceBeads(demo, [
    tracked('a-1', { status: 'in_progress', trackerStatus: 'in_progress', assignee: 'ana', description: 'Other' }),
    tracked('a-2', { status: 'in_progress', trackerStatus: 'in_progress', assignee: 'ana' }),
    tracked('a-3', { status: 'in_progress', trackerStatus: 'in_progress', assignee: 'beadloom' }),
  ])
  // Beadloom started the first one, no matter to whom it is assigned; the texts that its agent was given are no longer
  // known.
  expect(now.bead(demo, bead('a-1'))?.claimedBy).toBeUndefined()
  expect(now.bead(demo, bead('a-2'))).toMatchObject({ claimedBy: 'ana' })
  expect(now.bead(demo, bead('a-3'))).toMatchObject({ status: 'open', assignee: 'beadloom' })
  now.endExecution(executionId('a'), { state: 'COMPLETED', commit: 'c'.repeat(40), detail: '' })
  expect(now.changedSince(demo, bead('a-1'))).toEqual([])
  expect(now.moveBead(demo, bead('a-1'), { type: 'completed' })).toBe('done')
  expect(now.startExecution(executionId('b'), 99)).toMatchObject({ state: 'RUNNING', context: 'why' })
})
