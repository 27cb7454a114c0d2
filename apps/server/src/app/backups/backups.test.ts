import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { createLogger } from '../../process/logger.ts'
import { Backups, type BackupDeps } from './backups.ts'

const HOUR = 3_600_000
let home: string
let folder: string
let clock: HandClock
let seq: number
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bl-backups-'))
  folder = join(home, 'backups')
  clock = new HandClock()
  seq = 1
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const files = () => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
const backups = (changes: Partial<BackupDeps> = {}) =>
  new Backups({
    kept: () => [],
    folder,
    database: join(home, 'beadloom.db'),
    backUp: (_, target) => Promise.resolve(writeFileSync(target, 'a copy')),
    seq: () => seq,
    found: true,
    clock,
    log: createLogger('silent'),
    changed: () => {},
    freeBytes: () => Promise.resolve(1e12),
    ...changes,
  })

test('a server that finds a database without a backup makes one, and then one each hour in which anything changed', async () => {
  const one = backups()
  await one.look()
  await one.look()
  expect(files()).toEqual(['auto-20260115T120000Z.db'])
  seq = 2
  clock.advance(HOUR - 1)
  await one.look()
  expect(files()).toHaveLength(1)
  clock.advance(1)
  await one.look()
  expect(files()).toEqual(['auto-20260115T120000Z.db', 'auto-20260115T130000Z.db'])
  clock.advance(5 * HOUR)
  await one.look()
  expect(one.view()).toEqual({ newest: Date.UTC(2026, 0, 15, 13), kept: 2, problem: null })
})

test('a restart continues the hours, and a new data folder begins with an hour of nothing', async () => {
  await backups().look()
  clock.advance(HOUR / 2)
  await backups().look()
  expect(files()).toHaveLength(1)
  rmSync(folder, { recursive: true })
  const fresh = backups({ found: false })
  await fresh.look()
  expect(files()).toEqual([])
  clock.advance(HOUR)
  await fresh.look()
  expect(files()).toHaveLength(1)
})

test('old copies go, but never what a person has put there', async () => {
  const one = backups()
  mkdirSync(folder)
  for (const name of ['beadloom-20200101T000000Z.db', 'auto-mine.db', 'auto-20260115T000000Z.db.part'])
    writeFileSync(join(folder, name), '')
  for (let hour = 0; hour < 24 * 10; hour++) {
    await one.look()
    seq += 1
    clock.advance(HOUR)
  }
  const kept = files()
  expect(kept).toEqual(expect.arrayContaining(['beadloom-20200101T000000Z.db', 'auto-mine.db']))
  expect(kept).not.toContain('auto-20260115T000000Z.db.part')
  expect(kept.filter((name) => name.startsWith('auto-2'))).toHaveLength(one.view()?.kept ?? 0)
  expect(one.view()?.kept).toBe(24 + 5) // the newest 24 are of two days
})

test('a full disk gets no copy and loses none; the status says so until there is room', async () => {
  let free = 1e12
  const told: (string | null)[] = []
  const one = backups({
    freeBytes: () => Promise.resolve(free),
    changed: () => told.push(one.view()?.problem ?? null),
  })
  await one.look()
  seq = 2
  free = 1024 ** 3
  clock.advance(HOUR)
  await one.look()
  expect(one.view()?.problem).toMatch(/^not enough disk space for a backup .*: free some/)
  free = 1e12
  await one.look() // not again at once
  expect(files()).toHaveLength(1)
  clock.advance(10 * 60_000)
  await one.look()
  expect(one.view()).toMatchObject({ kept: 2, problem: null })
  expect(told).toEqual([expect.stringContaining('not enough disk space'), null])
})

test('an impossible folder is a reported problem, and the next look continues', async () => {
  writeFileSync(folder, 'a file')
  const one = backups()
  await one.look()
  expect(one.view()?.problem).toContain('backups')
  rmSync(folder)
  clock.advance(HOUR)
  await one.look()
  expect(one.view()).toMatchObject({ kept: 1, problem: null })
})

test('a clock that was ahead prevents no backup', async () => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'auto-20360101T000000Z.db'), '')
  await backups().look()
  expect(files()).toEqual(['auto-20260115T120000Z.db', 'auto-20360101T000000Z.db'])
})
