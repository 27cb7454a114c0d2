import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSettings } from '../process/settings/settings.ts'
import { checkTracker } from './health-checks.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-tracker-check-'))
  mkdirSync(join(folder, '.beads'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const put = (name: string, text: string) => writeFileSync(join(folder, '.beads', name), text)
const check = () => checkTracker(folder, { PATH: `${folder}:/usr/bin:/bin` }, null)

test('doctor accepts the file if it is the one that counts', async () => {
  put('issues.jsonl', '')
  expect(await check()).toEqual({
    name: 'tracker',
    ok: true,
    text: 'here: .beads/issues.jsonl, read and written directly',
  })
})

test('doctor rejects a .beads that is a link, and says what to do', async () => {
  rmSync(join(folder, '.beads'), { recursive: true })
  mkdirSync(join(folder, 'b'))
  symlinkSync('b', join(folder, '.beads'))
  const { ok, text, fix } = await check()
  expect([ok, fix]).toEqual([false, expect.stringContaining('Make .beads a folder')])
  expect(text).toContain('here: .beads is a symbolic link, and nothing is read or written there')
})

test('doctor rejects a stale copy of the beads, and says where they are and what to do, each once', async () => {
  put('issues.jsonl', '')
  put('config.yaml', 'sync-branch: beads-sync\n')
  const { ok, text, fix } = await check()
  expect([ok, text.includes('on the branch beads-sync')]).toEqual([false, true])
  expect(fix).toContain('bd init --from-jsonl')
  expect(text).not.toContain('bd init --from-jsonl')
})

test('doctor gives bd no variable that the settings name for a key', async () => {
  put('issues.jsonl', '')
  mkdirSync(join(folder, '.beads', 'embeddeddolt'))
  writeFileSync(join(folder, 'bd'), `#!/bin/sh\nenv > '${folder}/seen'\n`, { mode: 0o755 })
  const env = { PATH: `${folder}:/usr/bin:/bin`, OUR_MODELS: 'secret', HARMLESS: 'yes' }
  const configFile = JSON.stringify({ upstreams: { chat: { keyVariable: 'OUR_MODELS' } } })
  const settings = readSettings({
    flags: { data: folder },
    env,
    configFile,
    cwd: folder,
    defaults: { scenarios: folder },
  })
  await checkTracker(folder, env, settings)
  const seen = readFileSync(join(folder, 'seen'), 'utf8')
  expect(seen).toContain('HARMLESS=yes')
  expect(seen).not.toContain('OUR_MODELS')
})

test('doctor rejects a bd that would change the database, and names both releases', async () => {
  mkdirSync(join(folder, '.beads', 'embeddeddolt'))
  put('.local_version', '1.1.0\n')
  writeFileSync(join(folder, 'bd'), `#!/bin/sh\necho '{"version":"1.3.0"}'\n`, { mode: 0o755 })
  const { ok, text, fix } = await check()
  expect(ok).toBe(false)
  expect(text).toContain('bd 1.3.0 (schema 66) would change this database, which bd 1.1.0 (schema 53) has last used')
  expect(fix).toContain('then run "bd list"')
})
