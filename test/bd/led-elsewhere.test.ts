import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { creationOf, statusOf } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { bdEnvironment, bdIn, hasBd, initBd, needsBd, isSince } from '../support/bd.ts'
import { git } from '../support/repository.ts'

/* A working tree whose own settings would lead the real bd to another tracker, or to run something. */
const test = needsBd()
let root: string
let env: Record<string, string>
beforeAll(() => {
  if (!hasBd()) return
  root = mkdtempSync(join(tmpdir(), 'tracker-led-'))
  env = bdEnvironment(join(root, 'home'))
})
afterAll(() => {
  if (hasBd()) rmSync(root, { recursive: true, force: true })
})

/** A working tree with a database, made by `bd init`, in stealth (without git) or with these flags. */
function repository(name: string, ...flags: string[]) {
  const folder = join(root, name)
  mkdirSync(folder)
  git(folder, 'init', '--quiet')
  const bd = bdIn(folder, env)
  if (flags.length === 0) initBd(bd, 't')
  else bd('init', '--quiet', '--prefix', 't', '--non-interactive', '--skip-agents', '--skip-hooks', ...flags)
  const set = (text: string) => appendFileSync(join(folder, '.beads', 'config.yaml'), text)
  const find = (trusted: string[] = []) => createTracker({ clock: systemClock, env, own: root, trusted }).find(folder)
  return { folder, bd, set, find }
}
const ids = (bd: ReturnType<typeof bdIn>): string[] =>
  bd('export', '--all')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { id: string }).id)

const made = (id: string) => creationOf(id, { dependencies: [] })

test('a tracker as bd init makes it, or a person with its settings, is kept by bd', async () => {
  const kinds = [[], ['--remote', `file://${join(root, 'remote')}`]]
  for (const [at, flags] of kinds.entries()) {
    const { bd, find } = repository(`plain-${at}`, ...flags)
    for (const [key, value] of [
      ['export.auto', 'true'],
      ['routing.mode', 'auto'],
    ] as const)
      bd('config', 'set', key, value)
    expect((await find()).info).toMatchObject({ kind: 'bd', writable: true })
  }
})

test('a new bead stays in its own tracker, whichever one the settings or the database name', async () => {
  const other = repository('other')
  const byFile = repository('by-file')
  byFile.set(`routing:\n  default: ${other.folder}\n`)
  const byDatabase = repository('by-database')
  git(byDatabase.folder, 'config', 'beads.role', 'contributor')
  byDatabase.bd('config', 'set', 'contributor.auto_route', 'true')
  byDatabase.bd('config', 'set', 'contributor.planning_repo', other.folder)
  // A person's own bd is led there.
  byFile.bd('create', 'Led there')
  byDatabase.bd('create', 'Led there')
  expect(ids(other.bd)).toHaveLength(2)
  for (const [{ bd, find, folder }, trusted] of [
    [byFile, false],
    [byDatabase, false],
    [byDatabase, true],
  ] as const) {
    const id = `t-${trusted ? 'two' : 'one'}`
    const adapter = await find(trusted ? [folder] : [])
    expect(await adapter.write([made(id)])).toEqual([{ result: 'written' }])
    expect(ids(bd)).toContain(id)
  }
  expect(ids(other.bd)).toHaveLength(2)
})

test('a bead of another tracker is neither read nor written through routes or a proxied server', async () => {
  const other = repository('routed')
  const { bd, find, folder } = repository('with-routes')
  const foreign = (JSON.parse(other.bd('create', 'Theirs', '--json')) as { id: string }).id
  const routes = join(folder, '.beads', 'routes.jsonl')
  const adapter = await find()
  writeFileSync(routes, `${JSON.stringify({ prefix: 't-', path: '../routed' })}\n`)
  expect(bd('show', foreign)).toContain('Theirs')
  // Also if the file appears after the tracker was judged.
  expect(await adapter.write([statusOf(foreign, 'done')])).toMatchObject([
    { result: 'later', text: expect.stringContaining('.beads/routes.jsonl names the tracker ../routed') },
  ])
  expect((await find()).info).toMatchObject({ kind: 'read-only', writable: false })
  rmSync(routes)
  expect(await adapter.write([statusOf(foreign, 'done')])).toMatchObject([{ result: 'later' }])
  writeFileSync(join(folder, '.beads', 'metadata.json'), '{"backend":"dolt","dolt_mode":"proxied-server"}')
  expect((await find()).info.text).toContain('.beads/metadata.json names the mode proxied-server')
  expect(other.bd('show', foreign)).not.toMatch(/closed/i)
})

test('a change runs no git in the working tree, whose settings name programs, and copies no database', async () => {
  const backup = join(root, 'backup')
  mkdirSync(backup)
  git(backup, 'init', '--quiet')
  const { bd, set, find, folder } = repository('with-programs', '--skip-hooks')
  const id = (JSON.parse(bd('create', 'Ours', '--json')) as { id: string }).id
  const ran = join(root, 'ran')
  const program = join(folder, 'monitor')
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 })
  git(folder, 'config', 'core.fsmonitor', program)
  set(`export:\n  auto: true\n  git-add: true\n  interval: 1ns\nbackup:\n  enabled: true\n  git-repo: ${backup}\n`)
  expect(await (await find()).write([statusOf(id, 'in_progress')])).toMatchObject([{ result: 'written' }])
  expect([existsSync(ran), existsSync(join(backup, 'backup'))]).toEqual([false, false])
  // The exported file is written all the same.
  expect(existsSync(join(folder, '.beads', 'issues.jsonl'))).toBe(true)
  expect(await (await find([folder])).write([statusOf(id, 'done', 'in_progress')])).toMatchObject([
    { result: 'written' },
  ])
  // Otherwise it does both; releases after 1.0 leave the first out after some changes.
  expect(existsSync(join(backup, 'backup'))).toBe(true)
  if (!isSince('1.1.0')) expect(existsSync(ran)).toBe(true)
})
