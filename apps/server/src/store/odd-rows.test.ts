import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { systemClock } from '../process/clock.ts'
import { readOddRows } from './odd-rows.ts'
import type { OpenStore } from './open-store.ts'
import { bead, demo, executionId, openTestStore, running, seededRandom, world } from './testing.ts'

/* Words in the database that a newer version, or a faulty disk, may have left. */
let folder: string
let file: string
let store: OpenStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-odd-'))
  file = join(folder, 'beadloom.db')
  store = openTestStore(file, { clock: systemClock, random: seededRandom() })
  world(store, ['a-1', 'a-2'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

function change(sql: string): void {
  const db = new Database(file)
  db.pragma('ignore_check_constraints = ON')
  db.exec(sql)
  db.close()
}

test('an execution in an unknown state is named, shown as failed with that word, and blocks nobody', () => {
  const id = running(store, 'a-1')
  change(`UPDATE execution SET state = 'PAUSED' WHERE id = '${id}'`)
  expect(store.execution(id)).toMatchObject({ state: 'FAILED', reason: 'infra_error' })
  expect(store.execution(id)?.detail).toMatch(/unknown state for this execution: "PAUSED"/)
  expect(store.execution(id)?.endedAt).not.toBeNull()
  expect(store.executions({ project: demo, limit: 10 })).toHaveLength(1)
  expect(store.liveExecutions()).toEqual([])
  expect(store.oddRows()).toEqual([{ table: 'execution', id, column: 'state', value: '"PAUSED"' }])
  expect(readOddRows(file)).toEqual(store.oddRows())
  expect(store.requestCancel(id)).toMatchObject({ refused: expect.stringContaining('PAUSED') })
})

test('a person who runs that bead again settles it', () => {
  const id = running(store, 'a-1')
  change(`UPDATE execution SET state = 'PAUSED', kind = 'dream' WHERE id = '${id}'`)
  const again = store.queueExecution({
    id: executionId('q'),
    project: demo,
    bead: bead('a-1'),
    kind: 'work',
    branch: 'beads-x',
    context: '',
    maxAttempts: 3,
  })
  expect(again).toMatchObject({ state: 'QUEUED' })
  expect(store.oddRows()).toEqual([])
  expect(store.execution(id)).toMatchObject({ state: 'FAILED', detail: expect.stringContaining('PAUSED') })
  expect(store.unfinishedPipelines()).toEqual([])
})

test('a container in an unknown state is kept, with that word, until its work is saved or a person discards it', () => {
  const owner = running(store, 'a-1')
  store.addContainer({
    name: 'c',
    engine: 'local',
    project: demo,
    environment: null,
    purpose: 'work',
    keepsWork: true,
    owner,
  })
  change(`UPDATE container SET state = 'frozen'`)
  expect(store.container('c')).toMatchObject({ state: 'kept', owner, why: expect.stringContaining('"frozen"') })
  expect(store.oddRows()).toEqual([{ table: 'container', id: 'c', column: 'state', value: '"frozen"' }])
  store.releaseContainer('c')
  expect(store.container('c')).toMatchObject({ state: 'removing' })
  expect(store.oddRows()).toEqual([])
})

test('sessions and beads with unknown words are listed too', () => {
  const id = running(store, 'a-1')
  const session = sessionIdOf(id, 1)
  store.startSession({ id: session, execution: id, number: 1, kind: 'work', attempt: 1 })
  change(`UPDATE session SET kind = 'dream', state = 'asleep'; UPDATE bead SET status = 'lost' WHERE id = 'a-2'`)
  expect(store.sessions(id)).toMatchObject([{ kind: 'setup', state: 'ended', outcome: 'infra_error' }])
  expect(store.endSession(session, 'failed', 1, '')).toMatchObject({ state: 'ended' })
  expect(store.beads(demo)).toContainEqual(expect.objectContaining({ status: 'blocked', oddStatus: 'lost' }))
  expect(store.bead(demo, bead('a-2'))).toMatchObject({ status: 'blocked', oddStatus: 'lost' })
  expect(store.oddRows().map(({ table, column, value }) => `${table}.${column} ${value}`)).toEqual([
    'session.state "asleep"',
    'session.kind "dream"',
    'bead.status "lost"',
  ])
  expect(store.moveBead(demo, bead('a-2'), { type: 'closed' })).toBe('done')
  expect(store.bead(demo, bead('a-2'))).not.toHaveProperty('oddStatus')
})
