import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { createForges } from '@beadloom/server/src/forge/create-forges.ts'
import { writeForgeFile } from '@beadloom/server/src/forge/forge-file.ts'
import type { ForgeRepository, Forges, NewPullRequest } from '@beadloom/server/src/ports/forge.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { GiteaServer, hasGitea, needsGitea } from '../support/real-gitea.ts'
import { git, makeRepository, writeFiles } from '../support/repository.ts'

/* The client of Gitea against a real Gitea; each test has its own repository. */
const test = needsGitea()
type Pull = { number: number; title: string; body: string; state: string; html_url: string }

let server: GiteaServer
let root: string
let forges: Forges
let token: string
let number = 0
let name: string
let repository: ForgeRepository
const work: NewPullRequest = { head: 'beadloom/work', base: 'main', title: 'The work', body: 'What was *done*.\n' }

beforeAll(async () => {
  if (!hasGitea()) return
  root = mkdtempSync(join(tmpdir(), 'forge-real-'))
  server = await GiteaServer.start()
  server.addPerson('ada')
  server.addPerson('eve')
  // Only the rights that docs/forges.md says a token needs.
  token = server.token('ada', 'beadloom', 'write:repository')
  forges = createForges({ data: root, env: {}, clock: systemClock })
})
afterAll(async () => {
  if (!hasGitea()) return
  await server.stop()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(async () => {
  if (!hasGitea()) return
  await setToken(token)
  number += 1
  name = `library-${number}`
  await server.api('ada', 'POST', '/user/repos', { name })
  const folder = makeRepository(join(root, name), { 'a.txt': 'one\n' })
  git(folder, 'remote', 'add', 'origin', server.remote('ada', `ada/${name}`))
  git(folder, 'switch', '--quiet', '--create', 'beadloom/work')
  writeFiles(folder, { 'a.txt': 'two\n' })
  git(folder, 'commit', '--quiet', '--all', '--message', 'Two')
  git(folder, 'push', '--quiet', 'origin', 'main')
  // Gitea notices a first push only after git has ended; until then it has no pull requests.
  await vi.waitFor(
    async () => expect(await server.api('ada', 'GET', `/repos/ada/${name}`)).toMatchObject({ empty: false }),
    60_000,
  )
  git(folder, 'push', '--quiet', 'origin', 'beadloom/work')
  const found = await forges.repositoryOf(server.remote('ada', `ada/${name}`))
  if (found === null) throw new Error('the remote is no known forge')
  repository = found
})

const setToken = (value: string) =>
  writeForgeFile(root, { [server.host]: { kind: 'gitea', token: value, url: server.url } })
const pulls = (state = 'all') => server.api<Pull[]>('ada', 'GET', `/repos/ada/${name}/pulls?state=${state}`)

test('a pull request is opened once, found again, and its text brought up to date', async () => {
  const opened = await forges.open(repository, work)
  expect(opened).toEqual({ url: `${server.url}/ada/${name}/pulls/1`, number: 1, existed: false })
  expect(await pulls()).toMatchObject([
    { number: 1, title: 'The work', body: 'What was *done*.\n', html_url: opened.url },
  ])
  expect(await forges.open(repository, work)).toEqual({ ...opened, existed: true })
  expect(await forges.open(repository, { ...work, title: 'More work', body: '' })).toEqual({ ...opened, existed: true })
  expect(await pulls()).toMatchObject([{ number: 1, title: 'More work', body: '' }])
})

test('two requests at the same time get the same pull request', async () => {
  const both = await Promise.all([forges.open(repository, work), forges.open(repository, work)])
  expect(both.map((one) => one.number)).toEqual([1, 1])
  expect(await pulls()).toHaveLength(1)
})

test('a closed one stays closed, and a new one is opened', async () => {
  await forges.open(repository, work)
  await server.api('ada', 'PATCH', `/repos/ada/${name}/pulls/1`, { state: 'closed' })
  expect(await forges.open(repository, work)).toMatchObject({ number: 2, existed: false })
  expect(await pulls('open')).toMatchObject([{ number: 2 }])
})

test("a stranger's fork with a branch of the same name is left alone", async () => {
  await server.api('eve', 'POST', `/repos/ada/${name}/forks`, {})
  const theirs = { ...work, title: "Eve's", head: 'eve:beadloom/work' }
  await server.api('eve', 'POST', `/repos/ada/${name}/pulls`, theirs)
  expect(await forges.open(repository, work)).toMatchObject({ number: 2, existed: false })
  expect(await forges.open(repository, { ...work, title: 'Later' })).toMatchObject({ number: 2, existed: true })
  expect((await pulls()).map(({ title }) => title).sort()).toEqual(["Eve's", 'Later'])
})

test('the page behind the link for a person compares these two branches', async () => {
  const url = forges.compareUrl(repository, 'main', 'beadloom/work')
  expect(url).toBe(`${server.url}/ada/${name}/compare/main...beadloom/work`)
  const compared = await server.api<{ total_commits: number }>(
    'ada',
    'GET',
    new URL(url).pathname.replace('/ada', '/repos/ada'),
  )
  expect(compared.total_commits).toBe(1)
})

test('a refusal has a kind, a sentence without the token, and changes nothing', async () => {
  const readOnly = server.token('ada', `read-${number}`, 'read:repository')
  const eves = server.token('eve', `eve-${number}`, 'write:repository')
  const wrong = '0'.repeat(40)
  const other: ForgeRepository = { ...repository, path: 'ada/none' }
  for (const [used, at, change, kind, sentence] of [
    [wrong, repository, {}, 'unauthorized', /does not accept the token/],
    [readOnly, repository, {}, 'forbidden', /required=\[write:repository\]/],
    [eves, repository, {}, 'forbidden', /user must be a collaborator/],
    [token, other, {}, 'not-found', /has no repository ada\/none/],
    [token, repository, { head: 'none' }, 'not-found', /branches none and main/],
    [token, repository, { base: 'none' }, 'not-found', /branches beadloom\/work and none/],
    [token, repository, { head: 'main' }, 'refused', /no changes between the head and the base/],
  ] as const) {
    await setToken(used)
    const error = await forges.open(at, { ...work, ...change }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ForgeError', kind, message: expect.stringMatching(sentence) })
    expect(String(error)).not.toContain(used)
  }
  expect(await pulls()).toEqual([])
})
