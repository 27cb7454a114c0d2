import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { systemClock } from '../process/clock.ts'
import { createForges } from './create-forges.ts'
import { changeForgeFile, readForgeFile, writeForgeFile } from './forge-file.ts'
import { allForges } from './forge-settings.ts'
import { allOf, CANARY, dataFolder, errorOf, work, writeForges } from './testing/forge-kit.ts'

let data: string
let remove: () => void
beforeEach(() => {
  ;({ data, remove } = dataFolder())
})
afterEach(() => remove())

const forges = (env = {}) => createForges({ data, env, clock: new HandClock() })
const named = async (source: string) => {
  const found = await forges().repositoryOf(source)
  return found && `${found.kind} ${found.host} ${found.path}`
}

test.each([
  ['https://github.com/ada/library', 'github github.com ada/library'],
  ['https://github.com/ada/library.git', 'github github.com ada/library'],
  ['https://github.com/ada/library.git/', 'github github.com ada/library'],
  ['https://GitHub.com/Ada/My.Library', 'github github.com Ada/My.Library'],
  ['https://www.github.com/ada/library', 'github github.com ada/library'],
  ['https://ada:secret@github.com/ada/library.git', 'github github.com ada/library'],
  ['git@github.com:ada/library.git', 'github github.com ada/library'],
  ['git@github.com:/ada/library', 'github github.com ada/library'],
  ['github.com:ada/library.git', 'github github.com ada/library'],
  ['ssh://git@github.com/ada/library.git', 'github github.com ada/library'],
  ['ssh://git@github.com:22/ada/library.git', 'github github.com ada/library'],
  ['ssh://git@ssh.github.com:443/ada/library.git', 'github github.com ada/library'],
  ['https://gitlab.com/ada/tools/deep/library.git', 'gitlab gitlab.com ada/tools/deep/library'],
  ['git@gitlab.com:ada/library.git', 'gitlab gitlab.com ada/library'],
  ['https://codeberg.org/ada/library', 'gitea codeberg.org ada/library'],
])('%s is %s', async (source, expected) => {
  expect(await named(source)).toBe(expected)
})

test.each([
  '/srv/git/library.git',
  'file:///srv/git/library.git',
  'git://github.com/ada/library.git',
  'https://example.org/ada/library.git',
  'https://github.com.example.org/ada/library',
  'https://example.org/github.com/ada/library',
  'https://github.com@example.org/ada/library',
  'https://github.com:8443/ada/library',
  'http://github.com:81/ada/library',
  'https://github.com/ada',
  'https://github.com/ada/library/tree/main',
  'https://github.com/ada/..',
  'https://github.com/ada/%2e%2e%2fother%2flibrary',
  'https://github.com/ada/lib%0arary',
  'https://github.com/ada/lib rary',
  'https://gitlab.com/library',
  'git@example.org:ada/library.git',
  'git@github.com:ada/lib\nrary',
  'https://',
  '',
])('%j is no repository of a known forge', async (source) => {
  expect(await named(source)).toBeNull()
})

test('a forge of your own is found by host and port, over ssh by its host alone, and below a path', async () => {
  writeForges(data, {
    'git.example.org': { kind: 'gitlab', token: CANARY, url: 'https://git.example.org/gitlab/' },
    'code.example.org:3000': { kind: 'gitea', token: CANARY },
    'github.example.org': { kind: 'github', token: CANARY },
    'pages.example.org': { kind: 'gitea', token: CANARY, url: 'https://pages.example.org:8443' },
  })
  expect(await named('https://git.example.org/gitlab/ada/tools/library.git')).toBe(
    'gitlab git.example.org ada/tools/library',
  )
  expect(await named('https://git.example.org/ada/tools/library.git')).toBeNull()
  expect(await named('ssh://git@git.example.org:2222/ada/library.git')).toBe('gitlab git.example.org ada/library')
  expect(await named('https://code.example.org:3000/ada/library')).toBe('gitea code.example.org:3000 ada/library')
  expect(await named('https://code.example.org/ada/library')).toBeNull()
  expect(await named('git@code.example.org:ada/library')).toBe('gitea code.example.org:3000 ada/library')
  expect(await named('https://pages.example.org:8443/ada/library')).toBe('gitea pages.example.org ada/library')
  const apis = allForges({ data, env: {} }).map(({ host, api }) => `${host} ${api}`)
  expect(apis).toEqual([
    'github.com https://api.github.com',
    'gitlab.com https://gitlab.com/api/v4',
    'codeberg.org https://codeberg.org/api/v1',
    'git.example.org https://git.example.org/gitlab/api/v4',
    'code.example.org:3000 https://code.example.org:3000/api/v1',
    'github.example.org https://github.example.org/api/v3',
    'pages.example.org https://pages.example.org:8443/api/v1',
  ])
})

test('the link for a person names the branches, whatever characters they have', async () => {
  const link = async (source: string, base: string, head: string) => {
    const repository = await forges().repositoryOf(source)
    return repository && forges().compareUrl(repository, base, head)
  }
  expect(await link('git@github.com:ada/library', 'main', 'beadloom/work')).toBe(
    'https://github.com/ada/library/compare/main...beadloom/work?expand=1',
  )
  expect(await link('https://codeberg.org/ada/library', 'main', 'a#b?c')).toBe(
    'https://codeberg.org/ada/library/compare/main...a%23b%3Fc',
  )
  const gitlab = new URL((await link('https://gitlab.com/ada/library', 'main', 'beadloom/work&x')) ?? '')
  expect(gitlab.pathname).toBe('/ada/library/-/merge_requests/new')
  expect(Object.fromEntries(gitlab.searchParams)).toEqual({
    'merge_request[source_branch]': 'beadloom/work&x',
    'merge_request[target_branch]': 'main',
  })
})

test("a token of the environment is for the forge of its name, and for nobody else's host", () => {
  writeForges(data, {
    'github.example.org': { kind: 'github' },
    'gitlab.example.org': { kind: 'gitlab' },
    'git.example.org': { kind: 'gitea', tokenFrom: 'OUR_TOKEN' },
    'codeberg.org': { kind: 'gitea', url: 'https://elsewhere.example.org' },
  })
  const env = { GITHUB_TOKEN: 'hub-token', GITLAB_TOKEN: 'lab-token', GITEA_TOKEN: 'tea-token', OUR_TOKEN: 'our-token' }
  const tokens = Object.fromEntries(allForges({ data, env }).map(({ host, token }) => [host, token]))
  expect(tokens).toEqual({
    'github.com': 'hub-token',
    'gitlab.com': 'lab-token',
    'codeberg.org': null,
    'github.example.org': null,
    'gitlab.example.org': null,
    'git.example.org': 'our-token',
  })
  const gh = allForges({ data, env: { GITHUB_TOKEN: ' ', GH_TOKEN: 'gh-token\n' } })
  expect(gh[0]).toMatchObject({ token: 'gh-token', tokenFrom: 'GH_TOKEN' })
})

test('settings for Beadloom override the environment, and a change counts at once', async () => {
  const env = { GITHUB_TOKEN: 'from-environment' }
  const token = () => allForges({ data, env })[0]?.token
  expect(token()).toBe('from-environment')
  await writeForgeFile(data, { 'github.com': { kind: 'github', token: 'from-file' } })
  expect(token()).toBe('from-file')
  await writeForgeFile(data, {})
  expect(token()).toBe('from-environment')
})

test('without a token nothing is asked, and the error says how to set one', async () => {
  const repository = { kind: 'github', host: 'github.com', path: 'ada/library', hasToken: false } as const
  expect(await forges().repositoryOf('git@github.com:ada/library')).toEqual(repository)
  expect(await errorOf(forges().open(repository, work))).toMatchObject({
    kind: 'no-token',
    message: expect.stringMatching(
      /no token for github\.com.*Pull requests: Read and write.*forge add github\.com.*GITHUB_TOKEN/,
    ),
  })
  const bad = forges({ GITHUB_TOKEN: `two words ${CANARY}` })
  const error = await errorOf(bad.open({ ...repository, hasToken: true }, work))
  expect(error).toMatchObject({ kind: 'no-token', message: expect.stringMatching(/^GITHUB_TOKEN is not a token/) })
  expect(allOf(error)).not.toContain(CANARY)
})

test('a forge that was removed meanwhile, or has another kind now, is asked nothing', async () => {
  const repository = { kind: 'gitea', host: 'git.example.org', path: 'ada/library', hasToken: true } as const
  expect((await errorOf(forges().open(repository, work))).kind).toBe('no-token')
  writeForges(data, { 'git.example.org': { kind: 'gitlab', token: CANARY } })
  expect((await errorOf(forges().open(repository, work))).message).toMatch(/forge add git\.example\.org/)
})

test.each([
  ['no JSON', `{"git.example.org": {"kind": "gitea", "token": "${CANARY}" "url"`, /is not JSON/],
  ['a list', `["${CANARY}"]`, /must be an object with a host as each key/],
  ['a text for an entry', JSON.stringify({ 'git.example.org': CANARY }), /"git\.example\.org": must be an object/],
  ['an unknown key', JSON.stringify({ 'git.example.org': { kind: 'gitea', tokn: CANARY } }), /unknown key ".*tokn"/],
  ['an unknown kind', JSON.stringify({ 'git.example.org': { kind: CANARY } }), /kind": must be "github", "gitlab"/],
  ['a number as token', JSON.stringify({ 'git.example.org': { kind: 'gitea', token: 7 } }), /token": must be a string/],
  ['a token of two words', JSON.stringify({ a: { kind: 'gitea', token: `x ${CANARY}` } }), /is not a token/],
  ['two tokens', JSON.stringify({ a: { kind: 'gitea', token: CANARY, tokenFrom: 'A' } }), /not both/],
  [
    'a password in the address',
    JSON.stringify({ a: { kind: 'gitea', url: `https://x:${CANARY}@a` } }),
    /https address/,
  ],
  ['plain http', JSON.stringify({ a: { kind: 'gitea', token: CANARY, url: 'http://git.example.org' } }), /plain http/],
])('a file with %s is named with its problem, and never quoted', async (_, text, problem) => {
  writeForges(data, text)
  const error = await errorOf(forges().repositoryOf('https://github.com/ada/library'))
  expect(error).toMatchObject({ kind: 'no-token', message: expect.stringMatching(problem) })
  expect(error.message).toContain(join(data, 'forges.json'))
  expect(allOf(error)).not.toContain(CANARY)
  const link = { kind: 'github', host: 'github.com', path: 'ada/library', hasToken: false } as const
  expect(forges().compareUrl(link, 'main', 'work')).toMatch(/^https:\/\/github\.com\/ada/)
})

test('plain http is used only where a person allowed it, and to this machine', () => {
  writeForges(data, {
    'git.example.org': { kind: 'gitea', token: CANARY, url: 'http://git.example.org', plainHttp: true },
    localhost: { kind: 'gitea', token: CANARY, url: 'http://localhost:3000' },
  })
  expect(Object.keys(readForgeFile(data))).toEqual(['git.example.org', 'localhost'])
})

test('a pipe in its place is not waited for, which would block every answer', () => {
  execFileSync('mkfifo', ['-m', '600', join(data, 'forges.json')])
  expect(() => readForgeFile(data)).toThrow(/forges\.json is a pipe \(FIFO\) and not a file: move it away/)
})

test.each([0o640, 0o604, 0o644, 0o660])('a file of mode %o is not used: others could have read it', async (mode) => {
  writeForges(data, { 'git.example.org': { kind: 'gitea', token: CANARY } }, mode)
  const error = await errorOf(forges().repositoryOf('https://git.example.org/ada/library'))
  expect(error.message).toMatch(/may be read by others \(mode 0\d{3}\): chmod 600/)
  chmodSync(join(data, 'forges.json'), 0o600)
  expect(await named('https://git.example.org/ada/library')).toBe('gitea git.example.org ada/library')
})

test('the file is written for its owner alone, and replaced whole', async () => {
  await writeForgeFile(data, { 'git.example.org': { kind: 'gitea', token: CANARY } })
  expect(statSync(join(data, 'forges.json')).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(join(data, 'forges.json'), 'utf8'))).toEqual({
    'git.example.org': { kind: 'gitea', token: CANARY },
  })
  await writeForgeFile(data, {})
  expect(readdirSync(data)).toEqual(['forges.json'])
  await expect(writeForgeFile(join(data, 'none'), {})).rejects.toMatchObject({ code: 'ENOENT' })
  expect(existsSync(join(data, 'none'))).toBe(false)
})

test('simultaneous changes are all kept, even after a command that was killed in the middle', async () => {
  writeFileSync(join(data, 'forges.json.lock'), '')
  utimesSync(join(data, 'forges.json.lock'), 1, 1)
  const hosts = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example.org`)
  const add = (host: string) =>
    changeForgeFile(data, systemClock, (entries) => ({ ...entries, [host]: { kind: 'gitea', token: CANARY } }))
  await Promise.all(hosts.map(add))
  expect(Object.keys(readForgeFile(data)).sort()).toEqual(hosts)
  expect(readdirSync(data)).toEqual(['forges.json'])
})
