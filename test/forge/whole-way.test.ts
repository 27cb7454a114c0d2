import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import { beadloom, bin, cleanEnv } from '../support/command-line.ts'
import { GiteaServer, hasGitea, needsGitea } from '../support/real-gitea.ts'
import { git, issues, makeRepository } from '../support/repository.ts'
import { answer, reviewedProject } from '../support/reviewer.ts'
import { World } from '../support/world.ts'

/* From `beadloom forge add` to a pull request on a real Gitea, with real Docker and shell scripts as agents. */
const test = needsGitea()
type Pull = { number: number; title: string; body: string; state: string; html_url: string; head: { sha: string } }

let forge: GiteaServer
let world: World
beforeAll(async () => {
  if (!hasGitea()) return
  forge = await GiteaServer.start()
  world = await World.start()
})
afterAll(async () => {
  if (!hasGitea()) return
  await world.stop()
  await forge.stop()
})

const addToken = (token: string) =>
  execFileSync(process.execPath, [bin, 'forge', 'add', forge.url, '--kind', 'gitea', '--data', world.data], {
    input: `${token}\n`,
    env: cleanEnv() as NodeJS.ProcessEnv,
    encoding: 'utf8',
  })
const pr = (...args: string[]) => beadloom(['pr', '-p', 'library', '--data', world.data, ...args])
const pulls = () => forge.api<Pull[]>('ada', 'GET', '/repos/ada/library/pulls?state=all')

test('a bead is done, pushed, reviewed, and its pull request opened and brought up to date', async () => {
  forge.addPerson('ada')
  await forge.api('ada', 'POST', '/user/repos', { name: 'library' })
  const files = reviewedProject({ reviewer: `cat > /dev/null\ncat <<'END'\n${answer()}\nEND\n`, bead: 'li-1' })
  const beads = issues({ id: 'li-1', title: 'Greet @everyone' })
  const folder = makeRepository(join(world.folder, 'source'), { '.beads/issues.jsonl': beads, ...files })
  const source = forge.remote('ada', 'ada/library')
  git(folder, 'push', '--quiet', source, 'main')
  await vi.waitFor(
    async () => expect(await forge.api('ada', 'GET', '/repos/ada/library')).toMatchObject({ empty: false }),
    60_000,
  )
  const added = await world.api<ProjectView>('POST', '/api/projects', { source, id: 'library' })
  expect(added.status).toBe(201)
  expect((await world.run('library', 'li-1')).detail).toContain('Verified')

  const without = await pr('--wait', '--json')
  expect(JSON.parse(without.stdout)).toMatchObject({ state: 'pushed' })
  expect(await pulls()).toEqual([])

  const token = forge.token('ada', 'beadloom', 'write:repository')
  expect(addToken(token)).toContain(`✓ ${forge.host} (Gitea at ${forge.url})`)
  const opened = await pr('--wait')
  const url = `${forge.url}/ada/library/pulls/1`
  expect({ code: opened.code, url: opened.stdout.trim().split('\n').at(-1) }).toEqual({ code: 0, url })
  const view = await world.get<ProjectView>('/api/projects/library')
  expect(view.pullRequest).toMatchObject({ state: 'open', number: 1, url, forge: forge.host })
  const [pull] = await pulls()
  expect(pull).toMatchObject({ number: 1, state: 'open', html_url: url })
  expect(pull?.title).toContain('li-1')
  expect(pull?.body).toContain(view.pullRequest?.commit)

  const again = await pr('--wait', '--title', 'Greetings', '--json')
  expect(JSON.parse(again.stdout) as PullRequestView).toMatchObject({ state: 'open', number: 1 })
  expect(await pulls()).toMatchObject([{ number: 1, title: 'Greetings' }])

  const wrong = '0123456789'.repeat(4)
  addToken(wrong)
  const refused = await pr('--wait', '--title', 'More greetings')
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(/does not accept the token \(401\)[^]*beadloom forge add/)
  expect(await pulls()).toMatchObject([{ number: 1, title: 'Greetings' }])

  const everything =
    JSON.stringify(await world.get('/api/projects/library')) + opened.stdout + opened.stderr + refused.stdout
  for (const secret of [token, wrong]) expect(everything).not.toContain(secret)
  const log = execFileSync('grep', ['-rlaF', '-e', token, '-e', wrong, world.data], { encoding: 'utf8' }).trim()
  expect(log).toBe(join(world.data, 'forges.json'))
})
