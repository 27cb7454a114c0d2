import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { ChainCheck } from '@beadloom/core/audit/check-chain.ts'
import type { NewAuditEntry } from '@beadloom/core/audit/entry.ts'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { backUpDatabase } from './database/back-up.ts'
import { restoreDatabase } from './database/restore.ts'
import type { OpenStore } from './open-store.ts'
import { demo, openTestStore, seededRandom } from './testing.ts'

function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'))
  const file = join(folder, 'beadloom.db')
  const clock = new HandClock()
  const open = () => openTestStore(file, { clock, random: seededRandom() })
  let store = open()
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    file,
    clock,
    store: () => store,
    /** Closes the store, changes its file, and opens it again. */
    between(work: () => void): OpenStore {
      store.close()
      work()
      return (store = open())
    },
    /** Opens the file as another program would. */
    raw(work: (db: Database.Database) => void): void {
      const db = new Database(file)
      try {
        work(db)
      } finally {
        db.close()
      }
    },
  }
}

const entry = (given: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  by: 'ada',
  via: 'header',
  role: 'admin',
  signIn: null,
  address: '203.0.113.7',
  proxy: null,
  action: 'project_paused',
  on: { project: demo },
  about: '',
  outcome: 'allowed',
  needs: null,
  of: null,
  code: null,
  ...given,
})

/** The head of an intact chain; else the first broken entry. */
function checked(store: OpenStore): unknown {
  const check = new ChainCheck((text) => createHash('sha256').update(text).digest('hex'))
  for (const { number, line } of store.auditLines(0, 1_000)) {
    const problem = check.add(line)
    if (problem !== null) return [number, problem]
  }
  return check.last
}

test('entries are one chain, across restarts and a clock that is set back', () => {
  const world = opened()
  expect(world.store().auditHead().number).toBe(0)
  world.store().addAudit(entry())
  world.clock.jump(-3_600_000)
  world.store().addAudit(entry({ outcome: 'done', of: 1 }))
  const store = world.between(() => {})
  store.addAudit(entry({ by: 'Zoë', on: {}, action: 'signed_in' }))
  expect(checked(store)).toEqual(store.auditHead())
  expect(store.auditHead().number).toBe(3)
})

test('they are listed newest first, each with its end, by person, project and action', () => {
  const { store } = opened()
  const first = store().addAudit(entry())
  store().addAudit(entry({ outcome: 'failed', of: first, code: 'already_running' }))
  store().addAudit(entry({ by: 'eve', outcome: 'refused', needs: 'runner' }))
  store().addAudit(entry({ by: 'eve', on: { project: 'other', bead: 'bl-1' }, action: 'queued' }))
  expect(
    store()
      .audit({ limit: 9 })
      .map(({ number, end }) => [number, end?.code]),
  ).toEqual([
    [4, undefined],
    [3, undefined],
    [1, 'already_running'],
  ])
  const numbers = (filter: object) =>
    store()
      .audit({ limit: 9, ...filter })
      .map(({ number }) => number)
  expect(numbers({ by: 'eve' })).toEqual([4, 3])
  expect(numbers({ project: demo })).toEqual([3, 1])
  expect(numbers({ action: 'queued' })).toEqual([4])
  expect(numbers({ before: 3 })).toEqual([1])
})

test('an entry outlives its project', () => {
  const { store } = opened()
  store().addProject({ id: demo, source: '/somewhere' })
  store().addAudit(entry({ action: 'project_removed' }))
  store().removeProject(demo)
  expect(store().audit({ project: demo, limit: 9 })).toHaveLength(1)
})

test('no SQL changes, removes, replaces or inserts a row, whoever asks', () => {
  const world = opened()
  world.store().addAudit(entry())
  world.store().addAudit(entry())
  const before = world.store().auditHead()
  const store = world.between(() =>
    world.raw((db) => {
      for (const [sql, why] of [
        ["UPDATE audit SET hash = 'x' WHERE number = 1", 'never changed'],
        ['DELETE FROM audit WHERE number = 1', 'exported it'],
        ['DELETE FROM audit', 'exported it'],
        ["INSERT OR REPLACE INTO audit SELECT number, '{}', hash FROM audit WHERE number = 1", 'grows'],
        [`INSERT INTO audit (number, entry, hash) VALUES (9, '{"number":9}', 'x')`, 'grows'],
        [`INSERT INTO audit (number, entry, hash) VALUES (3, '{"number":3,"before":"x"}', 'x')`, 'grows'],
        ["INSERT INTO audit_cut (through, hash) VALUES (1, 'x')", 'no such entry'],
      ] as const)
        expect(() => db.exec(sql), sql).toThrow(why)
    }),
  )
  expect(checked(store)).toEqual(before)
})

test('a row that is changed without the triggers breaks the chain there', () => {
  const world = opened()
  for (const by of ['ada', 'eve', 'ada']) world.store().addAudit(entry({ by }))
  const store = world.between(() =>
    world.raw((db) => {
      db.exec('DROP TRIGGER audit_stays_as_it_is')
      db.exec(`UPDATE audit SET entry = replace(entry, '"eve"', '"ada"') WHERE number = 2`)
    }),
  )
  expect(checked(store)).toEqual([2, 'entry 2 was changed: its hash does not fit'])
})

test('a cut removes everything up to the head of an export, and the chain continues from there', () => {
  const world = opened()
  for (let n = 0; n < 3; n++) world.store().addAudit(entry())
  const head = world.store().auditHead()
  expect(world.store().cutAudit({ ...head, hash: 'x' })).toBeNull()
  const exported = world.store().auditLines(0, 100)
  expect(world.store().cutAudit(head)).toBe(3)
  expect([world.store().auditHead(), world.store().auditLines(0, 100)]).toEqual([head, []])
  const store = world.between(() => {})
  expect(store.addAudit(entry())).toBe(4)
  const check = new ChainCheck((text) => createHash('sha256').update(text).digest('hex'))
  const both = [...exported, ...store.auditLines(0, 100)].map(({ line }) => check.add(line))
  expect(both).toEqual([null, null, null, null])
  world.between(() =>
    world.raw((db) => {
      expect(() => db.exec('DELETE FROM audit_cut')).toThrow('never removed')
      expect(() => db.exec('UPDATE audit_cut SET through = 99')).toThrow('never changed')
    }),
  )
})

test('a restored backup has a true chain, which continues', () => {
  const world = opened()
  world.store().addAudit(entry())
  const copy = `${world.file}.copy`
  backUpDatabase(world.file, copy)
  world.store().addAudit(entry({ by: 'eve' }))
  const store = world.between(() => restoreDatabase(world.file, copy, 'now'))
  expect(checked(store)).toMatchObject({ number: 1 })
  store.addAudit(entry())
  expect(checked(store)).toEqual(store.auditHead())
})
