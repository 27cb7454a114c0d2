// @suite policy-long
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '@beadloom/core/api/api.ts'
import type { AuditHead, AuditView } from '@beadloom/core/api/people/audit-api.ts'
import { beadloom, startedServer, type CommandLine } from '../support/command-line.ts'

/* The audit log of a real server that is killed, backed up and restored, read and checked with the command line. */
const config = {
  people: {
    address: 'https://beads.example.org',
    proxies: ['127.0.0.1'],
    header: {},
    roles: { viewer: { people: ['*'] }, runner: { people: ['ruth'] }, admin: { people: ['ada'] } },
  },
}
const folder = mkdtempSync(join(tmpdir(), 'audit-log-'))
const data = join(folder, 'data')
let url: string
let server: CommandLine

async function start(): Promise<void> {
  const { line, up } = await startedServer(data)
  server = line
  url = up.url
}
async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  server.child.kill(signal)
  await server.ended
}
beforeAll(async () => {
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(data, 'config.json'), JSON.stringify(config), { mode: 0o600 })
  await start()
})
afterAll(async () => {
  await end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

const as = (name: string, method: string, path: string, body?: unknown) =>
  fetch(`${url}${path}`, {
    method,
    headers: { 'x-forwarded-user': name, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const save = (name: string) => as(name, 'PUT', '/api/webhooks/ops', { url: 'http://127.0.0.1:9/secret-words' })
const run = (...args: string[]) => beadloom([...args, '--data', data])
const head = async () => (await (await as('ada', 'GET', '/api/audit/head')).json()) as AuditHead

test("the log has people's actions and refusals in one true chain, even after a kill, and only admins read it", async () => {
  expect((await save('vera')).status).toBe(403)
  expect((await save('ada')).status).toBe(200)
  await end('SIGKILL')
  await start()
  expect((await as('ruth', 'DELETE', '/api/sign-ins/7')).status).toBe(404)
  for (const path of ['/api/audit', '/api/audit/head', '/api/audit/export'])
    expect((await as('ruth', 'GET', path)).status).toBe(403)
  const { items } = (await (await as('ada', 'GET', '/api/audit')).json()) as Page<AuditView>
  expect(
    items.map(({ by, role, action, on, outcome, end: ended }) => [by, role, action, on, ended ?? outcome]),
  ).toEqual([
    [
      'ruth',
      'runner',
      'browser_signed_out',
      { signIn: '7' },
      expect.objectContaining({ outcome: 'failed', code: 'not_found' }),
    ],
    ['ada', 'admin', 'webhook_saved', { webhook: 'ops' }, expect.objectContaining({ outcome: 'done' })],
    ['vera', 'viewer', 'webhook_saved', { webhook: 'ops' }, 'refused'],
  ])
  expect(JSON.stringify(items)).not.toContain('secret-words')
  const verified = await run('audit', 'verify')
  expect(verified).toMatchObject({ code: 0 })
  expect(verified.stdout).toContain((await head()).hash)
})

test('it is listed by person and by action, and exported as lines that can be checked elsewhere', async () => {
  const listed = await run('audit', '--by', 'vera')
  expect(listed.stdout).toMatch(/vera .*127\.0\.0\.1 .*refused: needs admin +added or changed a webhook on ops/)
  expect(listed.stdout).not.toContain('ada')
  const lines = (await run('audit', '--action', 'webhook_saved', '--limit', '1', '--json')).stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ by: 'ada', on: { webhook: 'ops' } }])
  const exported = (await run('audit', '--json')).stdout
  const file = join(folder, 'export.jsonl')
  writeFileSync(file, exported)
  expect(await beadloom(['audit', 'verify', file])).toMatchObject({ code: 0 })
  writeFileSync(file, exported.replace('"by":"ruth"', '"by":"vera"'))
  const broken = await beadloom(['audit', 'verify', file])
  const number = exported.split('\n').findIndex((line) => line.includes('"by":"ruth"')) + 1
  expect(broken).toMatchObject({ code: 1 })
  expect(broken.stderr).toContain(`export.jsonl, line ${number}: entry ${number} was changed`)
  writeFileSync(file, exported.slice(0, -20))
  expect(await beadloom(['audit', 'verify', file])).toMatchObject({ code: 1 })
})

test('a recorded head is missed if entries are gone from the end', async () => {
  const { hash } = await head()
  const exported = (await run('audit', '--json')).stdout
  const file = join(folder, 'short.jsonl')
  writeFileSync(file, `${exported.trim().split('\n').slice(0, -1).join('\n')}\n`)
  expect(await beadloom(['audit', 'verify', file])).toMatchObject({ code: 0 })
  const missed = await beadloom(['audit', 'verify', file, '--holds', hash])
  expect(missed).toMatchObject({ code: 1, stderr: expect.stringContaining('entries are missing') })
  expect(await run('audit', 'verify', '--holds', hash)).toMatchObject({ code: 0 })
})

test('a backup that is restored has a chain that is true and continues', async () => {
  const copy = join(folder, 'copy.db')
  expect(await run('backup', copy)).toMatchObject({ code: 0 })
  const before = await head()
  expect((await save('ada')).status).toBe(200)
  await end('SIGTERM')
  expect(await run('restore', copy)).toMatchObject({ code: 0 })
  await start()
  expect(await head()).toEqual(before)
  expect((await save('ada')).status).toBe(200)
  expect(await run('audit', 'verify', '--holds', before.hash)).toMatchObject({ code: 0 })
})

test('an archive is checked in its file before anything is removed, and the log continues it', async () => {
  const file = join(folder, 'archive.jsonl')
  const before = await head()
  expect(await run('audit', 'archive', file)).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toContain(before.hash)
  const again = await run('audit', 'archive', file)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') })
  // The log begins with who removed them.
  const rest = (await run('audit', '--json')).stdout
  expect(JSON.parse(rest.split('\n')[0] ?? '')).toMatchObject({ number: before.number + 1, action: 'audit_cut' })
  const newer = join(folder, 'newer.jsonl')
  writeFileSync(newer, rest)
  expect(await beadloom(['audit', 'verify', file, newer])).toMatchObject({ code: 0 })
  expect(await beadloom(['audit', 'verify', newer, file])).toMatchObject({ code: 1 })
  expect(await run('audit', 'verify', '--holds', before.hash)).toMatchObject({ code: 0 })
})

test('the oldest entries are missed if somebody took them out of the database', async () => {
  await end('SIGTERM')
  const db = new Database(join(data, 'beadloom.db'))
  const { sql } = db.prepare("SELECT sql FROM sqlite_master WHERE name = 'audit_stays'").get() as { sql: string }
  db.exec('DROP TRIGGER audit_stays; DELETE FROM audit WHERE number = (SELECT min(number) FROM audit)')
  db.exec(sql)
  db.close()
  await start()
  expect((await save('ada')).status).toBe(200)
  const verified = await run('audit', 'verify')
  expect(verified).toMatchObject({ code: 1, stderr: expect.stringContaining('Entries before it are missing') })
})
