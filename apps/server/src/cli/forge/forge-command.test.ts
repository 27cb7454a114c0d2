// @suite unit-long
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkForge } from '../../health/forge-check.ts'
import { readToken } from './forge-token.ts'
import { entryOf, hostOf } from './forge-flags.ts'

const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'beadloom.mjs')
const CANARY = 'glpat-C4nary_Token_8f2e61'

let folder: string
let data: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-forge-'))
  data = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true }))

type Ended = { code: number | null; out: string; err: string }

/** Calls it as a person does, without a server. The canary never appears in its output. */
async function forge(args: string[], input = '', env = {}): Promise<Ended> {
  const { PATH } = process.env
  const child = spawn(process.execPath, [bin, 'forge', ...args, '--data', data], {
    env: { PATH, ...env },
    stdio: 'pipe',
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.on('error', () => {}).end(input)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  expect(out + err).not.toContain(CANARY)
  return { code, out, err }
}
const file = () => join(data, 'forges.json')
const written = () => JSON.parse(readFileSync(file(), 'utf8')) as unknown

test('a token is read from standard input, is kept for its owner alone, and is never shown', async () => {
  const added = await forge(['add', 'git.example.org', '--kind', 'gitlab', '--json'], `${CANARY}\n`)
  expect(added).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(added.out)).toEqual({
    host: 'git.example.org',
    kind: 'gitlab',
    url: 'https://git.example.org',
    token: 'file',
    variable: null,
    problem: null,
    file: file(),
  })
  expect(written()).toEqual({ 'git.example.org': { kind: 'gitlab', token: CANARY } })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  const listed = await forge(['list'], '', { GITHUB_TOKEN: CANARY })
  expect(listed.out).toMatch(/github\.com +GitHub +https:\/\/github\.com +GITHUB_TOKEN \(environment\)\n/)
  expect(listed.out).toMatch(/git\.example\.org +GitLab +https:\/\/git\.example\.org +in forges\.json\n/)
  expect(listed.out).toMatch(/codeberg\.org .*none: beadloom forge add codeberg\.org, or set GITEA_TOKEN\n/)
  expect((await forge(['list', '--json'], '', { GITHUB_TOKEN: CANARY })).out).toContain('"variable": "GITHUB_TOKEN"')
  expect((await forge(['remove', 'git.example.org'])).out).toMatch(/^Removed git\.example\.org\..*revoke it/)
  expect(written()).toEqual({})
})

test("a new token keeps the forge's other settings", async () => {
  await forge(
    ['add', 'git.example.org', '--kind', 'gitea', '--url', 'https://git.example.org:3000/api/v1'],
    'first-one',
  )
  await forge(['add', 'git.example.org'], CANARY)
  const entry = { kind: 'gitea', token: CANARY, url: 'https://git.example.org:3000' }
  expect(written()).toEqual({ 'git.example.org': entry })
  await forge(['add', 'git.example.org', '--token-from', 'OUR_TOKEN'])
  expect(written()).toEqual({ 'git.example.org': { ...entry, token: undefined, tokenFrom: 'OUR_TOKEN' } })
})

test.each([
  [['add', 'git.example.org'], CANARY, 2, /not known what git\.example\.org runs\. Add --kind/],
  [['add', 'git.example.org', '--kind', 'svn'], CANARY, 2, /argument 'svn' is invalid/],
  [['add', 'github.com'], '', 2, /standard input has no token/],
  [['add', 'github.com'], `${CANARY} and more`, 2, /is not a token/],
  [['add', 'github.com'], 'x'.repeat(100_000), 2, /is not a token/],
  [['add', 'github.com', '--kind', 'gitea'], CANARY, 2, /github\.com is github, not gitea/],
  [['add', 'git.example.org/ada'], CANARY, 2, /"git\.example\.org\/ada" is not a host name/],
  [['add', 'gitea.example.org', '--url', 'http://gitea.example.org'], CANARY, 2, /plain http.*--plain-http/],
  [['add', 'gitea.example.org', '--url', `https://x:${CANARY}@gitea.example.org`], CANARY, 2, /without a user/],
  [['add', 'github.com', CANARY], '', 2, /only the host as an argument.*revoke it/],
  [['add', CANARY], '', 2, /that is not a host name/],
  [['add', 'github.com', '--token-from', CANARY], '', 2, /name of a variable/],
  [['remove', 'git.example.org'], '', 1, /has no entry for git\.example\.org/],
] as const)('forge %j says what is wrong and writes nothing', async (args, input, code, problem) => {
  const ended = await forge([...args], input)
  expect(ended).toMatchObject({ code, out: '', err: expect.stringMatching(problem) })
  expect(existsSync(file())).toBe(false)
})

test('a file that others may read is neither used nor overwritten', async () => {
  await forge(['add', 'github.com'], CANARY)
  chmodSync(file(), 0o644)
  for (const args of [['list'], ['remove', 'github.com'], ['add', 'gitlab.com']])
    expect(await forge(args, 'other-token')).toMatchObject({ code: 1, err: expect.stringMatching(/chmod 600/) })
  expect(written()).toEqual({ 'github.com': { kind: 'github', token: CANARY } })
  writeFileSync(file(), `{"github.com": "${CANARY}`, { mode: 0o600 })
  chmodSync(file(), 0o600)
  expect(await forge(['list'])).toMatchObject({ code: 1, err: expect.stringMatching(/is not JSON/) })
  expect(readdirSync(data)).toEqual(['forges.json'])
})

test('a host may be given as an address; other names of the well-known forges are recognised', () => {
  expect(hostOf('https://Git.Example.org:3000/ada/')).toBe('git.example.org:3000')
  expect(hostOf('ssh.github.com')).toBe('github.com')
  expect(entryOf('https://example.org/gitlab', { kind: 'gitlab' }, undefined)).toEqual({
    kind: 'gitlab',
    url: 'https://example.org/gitlab',
  })
  expect(entryOf('https://gitlab.example.org', {}, undefined)).toEqual({ kind: 'gitlab' })
  expect(entryOf('http://localhost:3000', { kind: 'gitea' }, undefined)).toEqual({
    kind: 'gitea',
    url: 'http://localhost:3000',
  })
  expect(() => hostOf('constructor()')).toThrow(/not a host name/)
  expect(() => hostOf(`https://x:${CANARY}@`)).toThrow(expect.not.stringContaining(CANARY))
})

async function* keys(...pieces: string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}
/** A terminal's keyboard, which notes whether typed text is shown. */
function keyboard(...pieces: string[]) {
  const raw: boolean[] = []
  const stdin = Object.assign(keys(...pieces), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) })
  return { stdin, raw }
}

test('on a terminal the token is typed or pasted, corrected, and not shown', async () => {
  const { stdin, raw } = keyboard('wrong\x15', 'to', 'kenn\x7f', '-1\r', 'never read')
  const shown: string[] = []
  expect(await readToken(stdin, 'Token: ', (text) => shown.push(text))).toBe('token-1')
  expect(shown).toEqual(['Token: ', '\n'])
  expect(raw).toEqual([true, false])
})

test('Ctrl-C at the prompt ends with 130, and the terminal shows its keys again', async () => {
  const { stdin, raw } = keyboard('tok\x03')
  await expect(readToken(stdin, 'Token: ', () => {})).rejects.toMatchObject({ exit: 130 })
  expect(raw).toEqual([true, false])
})

test('doctor says which forge the repository is on, and whether there is a token', async () => {
  const { execFileSync } = await import('node:child_process')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  const check = (env = {}) => checkForge(folder, data, { PATH: process.env['PATH'], ...env })
  expect(await check({ GITHUB_TOKEN: CANARY })).toMatchObject({
    ok: true,
    text: 'no git remote here; tokens are set for github.com',
  })
  git('init', '--quiet')
  git('remote', 'add', 'origin', `https://x:${CANARY}@git.example.org/ada/library.git`)
  expect(await check()).toMatchObject({
    ok: true,
    text: expect.stringMatching(/^origin is on git\.example\.org, which is not a known forge/),
    fix: expect.stringContaining('beadloom forge add git.example.org --kind KIND'),
  })
  git('remote', 'set-url', 'origin', 'git@codeberg.org:ada/library.git')
  const whose = ': pull requests of projects added by this URL are opened there'
  const where = 'origin is ada/library on codeberg.org (Gitea)'
  expect(await check()).toMatchObject({ ok: true, text: `${where}, without a token`, fix: expect.any(String) })
  expect(await check({ GITEA_TOKEN: CANARY })).toMatchObject({
    ok: true,
    text: `${where}, with a token in GITEA_TOKEN${whose}`,
  })
  expect(await check({ GITEA_TOKEN: `a ${CANARY}` })).toMatchObject({
    ok: false,
    text: expect.stringMatching(/not a token/),
  })
  await forge(['add', 'codeberg.org'], CANARY)
  expect(await check()).toMatchObject({ ok: true, text: `${where}, with a token in forges.json${whose}` })
  chmodSync(file(), 0o644)
  expect(await check()).toMatchObject({ ok: false, text: expect.stringMatching(/chmod 600/) })
})
