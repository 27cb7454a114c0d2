// @suite unit-long
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { openStore, type OpenStore } from '../open-store.ts'
import { bead, demo, running, seededRandom, world } from '../testing.ts'
import { isPassing } from '../../ports/store/errors.ts'
import { backUpDatabase } from './back-up.ts'
import { translate } from './connection.ts'
import { restoreDatabase } from './restore.ts'

/* Real files, moved and removed under an open store; a crash is a copy of the folder at that moment. */
let folder: string
let file: string
let store: OpenStore
let told: string[]
const clock = new HandClock()
const options = { clock, random: seededRandom(), report: (error: unknown) => told.push(String(error)) }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-in-place-'))
  file = join(folder, 'beadloom.db')
  told = []
  store = openStore(file, options)
  world(store, ['a-1', 'a-2'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The next server's view, if this one were killed now. */
function afterCrash<T>(read: (store: OpenStore) => T): T {
  const copy = mkdtempSync(join(tmpdir(), 'bl-in-place-copy-'))
  for (const name of readdirSync(folder).filter((one) => /db(-wal|-shm)?$/.test(one)))
    cpSync(join(folder, name), join(copy, name))
  const next = openStore(join(copy, 'beadloom.db'), { ...options, report: () => {} })
  try {
    return read(next)
  } finally {
    next.close()
    rmSync(copy, { recursive: true, force: true })
  }
}

test.each([
  ['the log', ['-wal']],
  ['the index of the log', ['-shm']],
  ['both', ['-wal', '-shm']],
])('if %s is removed under the server, a later crash takes nothing, and it is reported', async (_, ends) => {
  const before = running(store, 'a-1')
  for (const end of ends) rmSync(`${file}${end}`)
  expect(await store.writable(0)).toBe(true)
  const after = running(store, 'a-2')
  await store.onDisk()
  expect(afterCrash((next) => next.liveExecutions().map(({ id }) => id)).toSorted()).toEqual([before, after].toSorted())
  const sentence = /beadloom\.db-(wal|shm).* was removed .*nothing was lost/
  expect(told).toEqual([expect.stringMatching(sentence)])
  expect([store.trouble(), store.mended()]).toEqual([null, { at: clock.now(), text: expect.stringMatching(sentence) }])
  clock.advance(24 * 3_600_000 + 1)
  expect(store.mended(), 'a day later').toBe(null)
})

test('a log that another file has replaced is saved too', async () => {
  const execution = running(store, 'a-1')
  rmSync(`${file}-wal`)
  writeFileSync(`${file}-wal`, '')
  expect(await store.writable(0)).toBe(true)
  expect(afterCrash((next) => next.execution(execution))).toMatchObject({ state: 'RUNNING' })
})

test.each([
  ['moved away', () => renameSync(file, `${file}.away`), /beadloom\.db was moved or removed while the server runs/],
  ['removed', () => rmSync(file), /beadloom\.db was moved or removed while the server runs/],
  ['replaced', () => (cpSync(file, `${file}.new`), renameSync(`${file}.new`, file)), /another file is in the place of/],
])('a database that is %s takes no more changes, and restore finds its former contents', async (_, harm, what) => {
  const execution = running(store, 'a-1')
  harm()
  expect(await store.writable(0)).toBe(false)
  expect(store.trouble()).toMatchObject({ kind: 'gone', text: expect.stringMatching(what) })
  expect(() => store.addEvent(execution, null, 'late', null)).toThrow(expect.objectContaining({ kind: 'gone' }))
  expect(await store.writable(0)).toBe(false)
  expect(told).toHaveLength(1)
  const copies = readdirSync(join(folder, 'backups'))
  expect(copies.map((name) => statSync(join(folder, 'backups', name)).mode & 0o777)).toEqual([0o600])

  store.close()
  restoreDatabase(file, null, 'now')
  store = openStore(file, options)
  expect(store.execution(execution)).toMatchObject({ state: 'RUNNING' })
})

test.each([
  ['emptied', 0],
  ['cut short', 40_000],
])(
  'if the log is %s, nothing more is written, it is reported, and restore leads to the saved copy',
  async (_, bytes) => {
    const execution = running(store, 'a-1')
    truncateSync(`${file}-wal`, bytes)
    expect(() => store.addEvent(execution, null, 'late', null)).toThrow(expect.objectContaining({ kind: 'gone' }))
    expect(await store.writable(0)).toBe(false)
    expect(store.trouble()?.text).toMatch(
      /beadloom\.db-wal was emptied.*Nothing more is written\. Stop the server\. The newest backup is \S+gone-/,
    )
    expect(statSync(`${file}-wal`).size).toBe(bytes)

    store.close()
    expect(() => openStore(file, options)).toThrow(
      /beadloom\.db-wal is shorter than it was.*remove \S+beadloom\.db-shm/,
    )
    restoreDatabase(file, null, 'now')
    store = openStore(file, options)
    expect(store.execution(execution)).toMatchObject({ state: 'RUNNING' })
  },
)

test('a database that another file is copied over takes no more changes, and no start takes the mixture for whole', async () => {
  const execution = running(store, 'a-1')
  const backup = join(folder, 'backups', 'beadloom-20260115T120000Z.db')
  mkdirSync(join(folder, 'backups'))
  backUpDatabase(file, backup)
  copyFileSync(backup, file)
  await store.writable(0) // somebody may fold the log at that moment: it looks once more
  expect(await store.writable(0)).toBe(false)
  expect(store.trouble()?.text).toMatch(
    /another program wrote over \S+beadloom\.db .* Stop the server\. The newest backup/,
  )
  expect(() => store.addEvent(execution, null, 'late', null)).toThrow(expect.objectContaining({ kind: 'gone' }))
  expect(told).toHaveLength(1)

  store.close()
  expect(() => openStore(file, options)).toThrow(/beadloom\.db is missing, but this data folder is not new/)
  restoreDatabase(file, null, 'now')
  store = openStore(file, options)
  expect(store.execution(execution)).toMatchObject({ state: 'RUNNING' })
})

test('an overwritten database that cannot be put aside is not reported as put aside: a person has to move it', async () => {
  const backup = join(folder, 'other.db')
  backUpDatabase(file, backup)
  running(store, 'a-1')
  mkdirSync(`${file}.written-over`)
  copyFileSync(backup, file)
  await store.writable(0)
  expect(await store.writable(0)).toBe(false)
  expect(store.trouble()?.text).toMatch(/wrote over \S+beadloom\.db .*Move that program's file away/)
})

test('checkpoints, and a file that is only touched, do not count as overwriting', async () => {
  const execution = running(store, 'a-1')
  for (let at = 0; at < 3; at++) {
    store.addEvent(execution, null, 'said', { at })
    const other = new Database(file)
    other.pragma('wal_checkpoint(TRUNCATE)')
    expect(await store.writable(0)).toBe(true)
    other.exec('CREATE TABLE IF NOT EXISTS other (a); INSERT INTO other VALUES (1)')
    other.pragma('wal_checkpoint(PASSIVE)')
    other.close()
    expect(await store.writable(0)).toBe(true)
    utimesSync(file, at, at)
    expect(await store.writable(0)).toBe(true)
    clock.advance(1000)
  }
  expect(told).toEqual([])
})

test('a restored database takes changes again, waiting ones first', async () => {
  renameSync(file, `${file}.away`)
  expect(await store.writable(0)).toBe(false)
  const waits = Promise.resolve(store.patient.updateProject(demo, { name: 'waited' }))
  renameSync(`${file}.away`, file)
  for (let passed = 0; passed < 5; passed++) {
    clock.advance(500)
    await new Promise(setImmediate)
  }
  await waits
  expect(await store.writable(0)).toBe(true)
  expect(store.trouble()).toBeNull()
  expect(afterCrash((next) => next.project(demo))).toMatchObject({ name: 'waited' })
  expect(store.bead(demo, bead('a-1'))).not.toBeNull()
})

test('a folder that may not be searched for a while says nothing about its files: changes continue', async () => {
  const before = running(store, 'a-1')
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  else chmodSync(folder, 0)
  let after: string
  try {
    expect(await store.writable(0)).toBe(true)
    after = running(store, 'a-2')
  } finally {
    if (isRoot) process.seteuid?.(0)
    else chmodSync(folder, 0o700)
  }
  expect(await store.writable(0)).toBe(true)
  expect(told).toEqual([])
  expect(readdirSync(folder)).not.toContain('backups')
  expect(afterCrash((next) => next.liveExecutions().map(({ id }) => id)).toSorted()).toEqual([before, after].toSorted())
})

test('if no more files may be opened, writes wait as for a lock, and the sentence says why', () => {
  const error = translate(Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' }), file)
  expect(isPassing(error)).toBe(true)
  expect(String(error)).toContain('the server may not open more files (EMFILE)')
})

test('a log that may not be opened for a while does not count as emptied, and stops nobody', async () => {
  const before = running(store, 'a-1')
  const isRoot = process.getuid?.() === 0
  chmodSync(folder, 0o711)
  if (isRoot) process.seteuid?.(65_534)
  else chmodSync(`${file}-wal`, 0)
  let after: string
  try {
    expect(await store.writable(0)).toBe(true)
    after = running(store, 'a-2')
  } finally {
    if (isRoot) process.seteuid?.(0)
    else chmodSync(`${file}-wal`, 0o600)
  }
  expect(await store.writable(0)).toBe(true)
  expect(told).toEqual([])
  expect(afterCrash((next) => next.liveExecutions().map(({ id }) => id)).toSorted()).toEqual([before, after].toSorted())
})

test('a server whose log was removed after a kill does not start as if nothing had happened', () => {
  const killed = mkdtempSync(join(tmpdir(), 'bl-in-place-killed-'))
  cpSync(file, join(killed, 'beadloom.db'))
  cpSync(`${file}-shm`, join(killed, 'beadloom.db-shm'))
  expect(() => openStore(join(killed, 'beadloom.db'), options)).toThrow(
    /beadloom\.db-wal is missing.*Put it back\. Or continue without them: remove .*beadloom\.db-shm/,
  )
  rmSync(killed, { recursive: true, force: true })
})

test('a log that a power cut has shortened is read as far as it goes: nobody waited for its index', () => {
  const cut = mkdtempSync(join(tmpdir(), 'bl-in-place-cut-'))
  for (const end of ['', '-wal', '-shm']) cpSync(`${file}${end}`, join(cut, `beadloom.db${end}`))
  truncateSync(join(cut, 'beadloom.db-wal'), statSync(`${file}-wal`).size - 5_000)
  utimesSync(join(cut, 'beadloom.db-shm'), 0, 0)
  openStore(join(cut, 'beadloom.db'), options).close()
  rmSync(cut, { recursive: true, force: true })
})
