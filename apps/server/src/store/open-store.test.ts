import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StoreErrorKind } from '../ports/store/errors.ts'
import { restoreDatabase } from './database/restore.ts'
import { StoreError } from '../ports/store/errors.ts'
import { migrations } from './database/migrations.ts'
import { openStore } from './open-store.ts'
import { bead, demo, overwrite, stepClock, world } from './testing.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const newest = migrations.at(-1)?.version ?? 0

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beadloom-store-'))
  file = join(folder, 'data', 'beadloom.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const options = () => ({ clock: stepClock(), random: () => 0.5 })

function refusal(run: () => unknown): { kind: StoreErrorKind; message: string } {
  try {
    run()
  } catch (error) {
    if (error instanceof StoreError) return { kind: error.kind, message: error.message }
    throw error
  }
  throw new Error('nothing was refused')
}

test('a new store is made with its folder, readable by its owner alone', () => {
  const store = openStore(file, options())
  expect(store.instance).toMatch(/^in-[a-z0-9]{12}$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
  store.close()
})

test('a store keeps its instance, its epoch and its rows across a restart', () => {
  const first = openStore(file, options())
  world(first, ['a-1'])
  const { instance, epoch } = first
  first.close()
  const second = openStore(file, { ...options(), random: () => 0.9 })
  expect(second).toMatchObject({ instance, epoch })
  expect(second.projects().map(({ id }) => id)).toEqual(['demo'])
  second.close()
})

test('a second server is refused with the folder it wanted, and let in when the first is gone', () => {
  const first = openStore(file, options())
  const { kind, message } = refusal(() => openStore(file, options()))
  expect(kind).toBe('in-use')
  expect(message).toContain(`another Beadloom server uses ${join(folder, 'data')}`)
  first.close()
  openStore(file, options()).close()
})

longTest('another process is refused as well', async () => {
  const first = openStore(file, options())
  const script = `
    import { openStore } from ${JSON.stringify(join(import.meta.dirname, 'open-store.ts'))}
    import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '../process/clock.ts'))}
    try { openStore(${JSON.stringify(file)}, { clock: systemClock, random: Math.random }) }
    catch (error) { console.log(error.kind) }`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout.trim()).toBe('in-use')
  first.close()
})

test('a folder that cannot be written is named', () => {
  writeFileSync(join(folder, 'data'), 'a file, no folder')
  const { kind, message } = refusal(() => openStore(file, options()))
  expect(kind).toBe('not-writable')
  expect(message).toContain(join(folder, 'data'))
})

const canMount = process.platform === 'linux' && process.getuid?.() === 0
test.runIf(canMount)('a disk without room for another file is not mistaken for an unwritable one', () => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,nr_inodes=2', 'tmpfs', disk])
  try {
    writeFileSync(join(disk, 'the last one'), '')
    for (const data of [disk, join(disk, 'data')]) {
      const { kind, message } = refusal(() => openStore(join(data, 'beadloom.db'), options()))
      expect(kind).toBe('no-space')
      expect(message).toBe(
        `the disk that holds ${data} has no inodes left: remove files, however small (df -i shows how many it can hold). Nothing was lost`,
      )
    }
  } finally {
    execFileSync('umount', [disk])
  }
})

test('a damaged database is refused and left as it is', () => {
  mkdirSync(join(folder, 'data'))
  writeFileSync(file, 'this is no database at all, and long enough to have been one. '.repeat(100))
  const before = statSync(file).size
  expect(refusal(() => openStore(file, options())).kind).toBe('corrupt')
  expect(statSync(file).size).toBe(before)
})

test('damage in the middle of a database is found when it is opened', () => {
  const store = openStore(file, options())
  world(
    store,
    Array.from({ length: 500 }, (_, index) => `a-${index}`),
  )
  store.close()
  const db = new Database(file)
  const root = db
    .prepare<[], { rootpage: number }>(`SELECT rootpage FROM sqlite_schema WHERE name = 'bead'`)
    .get()!.rootpage
  const pageSize = Number(db.pragma('page_size', { simple: true }))
  db.close()
  overwrite(file, (root - 1) * pageSize, pageSize)
  expect(refusal(() => openStore(file, options())).kind).toBe('corrupt')
})

test('a database of another program is refused', () => {
  mkdirSync(join(folder, 'data'))
  new Database(file).exec('CREATE TABLE theirs (x)').close()
  expect(refusal(() => openStore(file, options())).kind).toBe('foreign')
})

test('a database of a newer Beadloom is refused with what to do', () => {
  openStore(file, {
    ...options(),
    migrations: [...migrations, { version: newest + 1, sql: 'CREATE TABLE later (x TEXT) STRICT' }],
  }).close()
  const { kind, message } = refusal(() => openStore(file, options()))
  expect(kind).toBe('newer')
  expect(message).toMatch(/written by a newer Beadloom .* update Beadloom/)
  expect(message, 'there is no copy to go back to').not.toContain('beadloom restore')
})

test('a return to an older Beadloom names the copy that the update has made', () => {
  openStore(file, options()).close()
  const later = (version: number) => ({ version, sql: `CREATE TABLE later_${version} (x TEXT) STRICT` })
  openStore(file, { ...options(), migrations: [...migrations, later(newest + 1)] }).close()
  openStore(file, { ...options(), migrations: [...migrations, later(newest + 1), later(newest + 2)] }).close()
  const { message } = refusal(() => openStore(file, options()))
  const copy = `${file}.v${newest}.backup`
  expect(message).toContain(
    `${copy}. To go back to it, without all that has happened since: beadloom restore ${copy} --data`,
  )
  restoreDatabase(file, copy, 'now')
  openStore(file, options()).close()
})

test('an older database is copied before it is migrated, and keeps its rows', () => {
  const old = openStore(file, options())
  world(old, ['a-1'])
  old.close()
  const next = { version: newest + 1, sql: 'ALTER TABLE project ADD COLUMN colour TEXT' }
  const store = openStore(file, { ...options(), migrations: [...migrations, next] })
  expect(store.bead(demo, bead('a-1'))?.title).toBe('bead a-1')
  store.close()
  const backup = join(folder, 'data', `beadloom.db.v${newest}.backup`)
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  const copy = new Database(backup, { readonly: true })
  expect(copy.pragma('user_version', { simple: true })).toBe(newest)
  expect(copy.prepare('SELECT id FROM bead').all()).toEqual([{ id: 'a-1' }])
  copy.close()
})

test('a migration that fails leaves the database at the version before it', () => {
  openStore(file, options()).close()
  const broken = { version: newest + 1, sql: 'CREATE TABLE half (x TEXT) STRICT; NO SUCH THING' }
  expect(() => openStore(file, { ...options(), migrations: [...migrations, broken] })).toThrow(/syntax error/)
  const store = openStore(file, options())
  world(store, ['a-1'])
  store.close()
})

test('closing leaves one file and its lock, and nothing to recover', () => {
  openStore(file, options()).close()
  expect(readdirSync(join(folder, 'data')).sort()).toEqual(['beadloom.db', 'beadloom.db.lock'])
})
