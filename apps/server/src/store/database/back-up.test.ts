import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { backUpAside } from './back-up-aside.ts'
import { backUpDatabase } from './back-up.ts'
import { migrations } from './migrations.ts'
import { openStore } from '../open-store.ts'

const newest = migrations.at(-1)?.version ?? 0

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-backup-'))
  file = join(folder, 'beadloom.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () => openStore(file, { clock: systemClock, random: Math.random })

test('an open store that writes is copied as it is, including its write-ahead log', () => {
  const store = open()
  store.touch('status', null, ['server'])
  const target = join(folder, 'copy.db')
  const made = backUpDatabase(file, target)
  expect(made).toMatchObject({ file: target, schema: newest, projects: 0, beads: 0, executions: 0 })
  expect(made.bytes).toBe(statSync(target).size)
  expect(statSync(target).mode & 0o777).toBe(0o600)
  const copy = new Database(target, { readonly: true })
  expect(copy.prepare("SELECT value FROM meta WHERE key = 'instance'").pluck().get()).toBe(store.instance)
  expect(copy.prepare('SELECT count(*) FROM changes').pluck().get()).toBeGreaterThan(0)
  copy.close()
  store.touch('status', null, ['server']) // the server continues
  store.close()
})

test('the copy can replace the original', () => {
  const store = open()
  const { instance } = store
  store.close()
  backUpDatabase(file, join(folder, 'copy.db'))
  for (const name of readdirSync(folder).filter((one) => one.startsWith('beadloom.db'))) rmSync(join(folder, name))
  copyFileSync(join(folder, 'copy.db'), file)
  const again = open()
  expect(again.instance).toBe(instance)
  again.close()
})

test('nothing that exists is overwritten, and a failure leaves nothing', () => {
  open().close()
  const target = join(folder, 'copy.db')
  writeFileSync(target, 'mine')
  expect(() => backUpDatabase(file, target)).toThrow(/already exists/)
  const broken = join(folder, 'broken.db')
  writeFileSync(broken, 'no database '.repeat(1000))
  expect(() => backUpDatabase(broken, join(folder, 'other.db'))).toThrow(/broken\.db is damaged/)
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  expect(existsSync(join(folder, 'other.db'))).toBe(false)
})

test('a copy on a thread of its own is the same, and so are its errors', async () => {
  const store = open()
  store.touch('status', null, ['server'])
  const target = join(folder, 'copy.db')
  expect(await backUpAside(file, target)).toMatchObject({ file: target, schema: newest })
  store.close()
  const broken = join(folder, 'broken.db')
  writeFileSync(broken, 'no database '.repeat(1000))
  await expect(backUpAside(broken, join(folder, 'other.db'))).rejects.toMatchObject({ kind: 'corrupt' })
})
