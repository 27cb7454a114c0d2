// @suite unit-long
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import Database from 'better-sqlite3'
import { fileStamp } from '@beadloom/core/text/file-stamp.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { openStore, type OpenStore } from '../open-store.ts'
import { demo, seededRandom, world } from '../testing.ts'
import { backUpDatabase } from './back-up.ts'
import { restoreDatabase } from './restore.ts'

let folder: string
let file: string
const clock = new HandClock()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-lost-'))
  file = join(folder, 'beadloom.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (): OpenStore => openStore(file, { clock, random: seededRandom() })

/** A folder of a server with one backup, from 40 minutes ago. */
function used(): void {
  const store = open()
  world(store, ['a-1'])
  store.close()
  mkdirSync(join(folder, 'hub', 'demo.git'), { recursive: true })
  mkdirSync(join(folder, 'backups'))
  const stamp = fileStamp(clock.now() - 40 * 60_000)
  backUpDatabase(file, join(folder, 'backups', `auto-${stamp}.db`))
}

test('an empty folder is a first start', () => {
  open().close()
  expect(readdirSync(folder)).toContain('beadloom.db')
})

test.each([
  ['is gone', () => rmSync(file), 'is missing'],
  ['has 0 bytes', () => truncateSync(file), 'is empty'],
])(
  'a database that %s where there was one is not made anew: the remains and the way back are named',
  (_, harm, what) => {
    used()
    harm()
    const before = readdirSync(folder)
    expect(open).toThrow(expect.objectContaining({ kind: 'lost' }))
    expect(open).toThrow(new RegExp(`${what}, but this data folder is not new: it has 1 repository, 1 backup`))
    expect(open).toThrow(/newest backup is .*auto-.*\.db, made 40 min ago.*beadloom restore --data/)
    expect(readdirSync(folder).toSorted()).toEqual(before.toSorted())

    const done = restoreDatabase(file, null, '20260115T120000Z')
    expect(done).toMatchObject({ projects: 1, beads: 1 })
    const store = open()
    expect(store.beads(demo)).toHaveLength(1)
    store.close()
  },
)

test.each([
  ['has lost a table', 'DROP TABLE meta', /no such table: meta/],
  ['says that it is older than it is', 'PRAGMA user_version = 3', /already exists/],
])('a database that %s is called damaged, with the way back', (_, harm, why) => {
  used()
  const db = new Database(file)
  db.exec(harm)
  db.close()
  expect(open).toThrow(expect.objectContaining({ kind: 'corrupt' }))
  expect(open).toThrow(why)
  expect(open).toThrow(/tables of its version .* newest backup is .* beadloom restore/)
})

test('a link to a missing disk, and a lock that is no database, are called what they are', () => {
  used()
  rmSync(file)
  symlinkSync(join(folder, 'mounted', 'beadloom.db'), file)
  expect(open).toThrow(/beadloom\.db is a link to .*mounted.*mount the disk/)
  rmSync(file)
  writeFileSync(`${file}.lock`, 'no database '.repeat(1000))
  expect(open).toThrow(/beadloom\.db\.lock is damaged\. It holds nothing: remove it/)
})

test('without any backup it says so, and how to begin anew', () => {
  mkdirSync(join(folder, 'logs', 'ex-1'), { recursive: true })
  expect(open).toThrow(/1 folder of logs.*There is no backup.*use another data folder/)
  expect(() => restoreDatabase(file, null, 'x')).toThrow(/there is no backup/)
})

test('a file that is no database names the way back too, and going back keeps the file aside', () => {
  used()
  writeFileSync(file, 'no database '.repeat(1000))
  expect(open).toThrow(expect.objectContaining({ kind: 'corrupt' }))
  expect(open).toThrow(/is damaged.*newest backup is .*beadloom restore/)
  const { aside } = restoreDatabase(file, null, '20260115T120000Z')
  expect(readdirSync(aside!)).toContain('beadloom.db')
  open().close()
})

test('a damaged copy, and a folder whose server runs, are left as they are', () => {
  used()
  const broken = join(folder, 'broken.db')
  writeFileSync(broken, 'no database '.repeat(1000))
  expect(() => restoreDatabase(file, broken, 'x')).toThrow(/damaged/)
  const store = open()
  expect(() => restoreDatabase(file, null, 'x')).toThrow(expect.objectContaining({ kind: 'in-use' }))
  expect(store.beads(demo)).toHaveLength(1)
  store.close()
})

test('something other than a file in its place is refused by its name, without waiting for it', () => {
  execFileSync('mkfifo', [file])
  expect(open).toThrow(/beadloom\.db is a pipe \(FIFO\).*move it away/)
})
