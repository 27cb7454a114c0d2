// @suite policy-long
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import { Victim } from '../crash/victim.ts'
import { beadloom } from '../support/command-line.ts'
import { Gitea } from '../support/gitea.ts'
import { git, issues } from '../support/repository.ts'
import { answer, issue, reviewedProject } from '../support/reviewer.ts'
import { World } from '../support/world.ts'

/* From the click to the forge, on real Docker; author and reviewer are shell scripts. */
let world: World
let forge: Gitea
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
  forge = await Gitea.start(join(world.folder, 'forge'))
  knows(world.data, forge)
})
afterAll(async () => {
  await forge.stop()
  await world.stop()
})

const knows = (data: string, { settings }: Gitea) => writeFileSync(join(data, 'forges.json'), settings, { mode: 0o600 })
const print = (text: string) => `cat > /dev/null\ncat <<'END'\n${text}\nEND\n`
const filesOf = (bead: string, reviewer: string) => ({
  '.beads/issues.jsonl': issues({ id: bead, title: 'Greet @everyone' }),
  ...reviewedProject({ reviewer, bead }),
})
const pr = (project: string, ...args: string[]) => beadloom(['pr', '-p', project, '--data', world.data, ...args])
const run = async (project: string, bead: string) => {
  const ended = await world.run(project, bead)
  expect(ended.detail).toContain('Verified')
}

/** Adds a project whose remote is the forge's; its bead is done and its work branch published. */
async function worked(id: string, reviewer: string): Promise<string> {
  const bead = `${id.slice(0, 2)}-1`
  const source = forge.repository(`owner/${id}`, filesOf(bead, reviewer))
  const added = await world.api<ProjectView>('POST', '/api/projects', { source, id })
  expect(added.status).toBe(201)
  await run(id, bead)
  return bead
}

describe('beadloom pr', () => {
  test('shows the issues of a work branch that is not ready, and opens nothing', async () => {
    await worked('unready', print(answer([issue('It greets nobody')])))
    const { code, stdout } = await pr('unready', '--wait')
    expect(stdout).toContain('It greets nobody')
    expect(stdout).toContain('Not ready for a pull request')
    expect(stdout).toContain('No pull request was opened')
    expect(code).toBe(1)
    expect(forge.asked).toEqual([])
    const { pullRequest } = await world.get<ProjectView>('/api/projects/unready')
    expect(pullRequest).toMatchObject({ state: 'not_ready', url: null })
    const again = await pr('unready', '--wait', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({
      state: 'not_ready',
      reviewed: { pr_ready: false, issues: [{ title: 'It greets nobody', filed: 'new' }] },
    })
  })

  test('opens a ready one, and updates it when it is asked again', async () => {
    const bead = await worked('ready', print(answer([issue('A name could be better', { severity: 'low' })], true)))
    const { code, stdout, stderr } = await pr('ready', '--wait')
    expect({ code, url: stdout.trim().split('\n').at(-1) }).toEqual({
      code: 0,
      url: `http://${forge.host}/owner/ready/pulls/1`,
    })
    expect(stderr).toContain('comes first')
    const folder = forge.folderOf('owner/ready')
    const view = await world.get<ProjectView>('/api/projects/ready')
    expect(view.pullRequest).toMatchObject({ state: 'open', number: 1, forge: forge.host })
    const commit = view.pullRequest?.commit ?? ''
    // Commits about beads may be on top of it meanwhile.
    expect(git(folder, 'rev-list', 'beadloom/work')).toContain(commit)
    expect(forge.pulls).toMatchObject([{ number: 1, head: 'beadloom/work', base: 'main', state: 'open' }])
    const [{ title, body } = { title: '', body: '' }] = forge.pulls
    expect(title).toMatch(new RegExp(`^${bead}: Greet @\u200beveryone$`))
    for (const part of [`\`${bead}\``, 'sh test.sh', commit, 'It says hello.', 'A name could be better'])
      expect(body).toContain(part)
    expect(body).not.toContain('@everyone')

    const person = world.newFolder('person')
    git(person, 'clone', '--quiet', '--branch', 'beadloom/work', folder, '.')
    git(person, 'mv', 'README.md', 'READ.md')
    git(person, 'commit', '--quiet', '--message', 'A name')
    git(person, 'pull', '--quiet', '--rebase')
    git(person, 'push', '--quiet')
    const again = await pr('ready', '--wait', '--title', 'Greetings', '--json')
    const moved = JSON.parse(again.stdout) as PullRequestView
    expect(moved).toMatchObject({ state: 'open', number: 1, title: 'Greetings' })
    expect(moved.review).not.toBe(view.pullRequest?.review)
    expect(git(folder, 'ls-tree', '--name-only', moved.commit ?? '')).toContain('READ.md')
    expect(forge.pulls).toMatchObject([{ title: 'Greetings', body: expect.stringContaining(moved.commit ?? '') }])
  })

  test('pushes the branch if the remote is no forge', async () => {
    const files = reviewedProject({ reviewer: print(answer()), bead: 'fo-1' })
    const { remote } = await world.addProject('folder', files, [{ id: 'fo-1', title: 'Greet' }])
    await run('folder', 'fo-1')
    const { code, stdout } = await pr('folder', '--wait')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('is pushed') })
    expect(git(remote, 'rev-parse', 'refs/heads/beadloom/work')).toMatch(/^[0-9a-f]{40}$/)
  })
})

test('a second click during the review gets the same one, and a cancel ends the review with it', async () => {
  await worked('slow', 'cat > /dev/null; sleep 600\n')
  const ask = () => world.api<PullRequestView>('POST', '/api/projects/slow/pull-requests', {})
  const both = await Promise.all([ask(), ask()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 202])
  const { id, review } = both[0].body
  expect(both[1].body.id).toBe(id)
  await world.until(async () => (await world.execution(review!)).state === 'RUNNING')
  const { code } = await pr('slow', '--cancel')
  expect(code).toBe(0)
  expect((await world.ended(review!)).state).toBe('CANCELLED')
  await world.until(async () => (await world.get<PullRequestView>(`/api/pull-requests/${id}`)).state === 'failed')
  expect((await pr('slow', '--cancel')).stderr).toContain('no pull request is in progress for slow')
})

test('a pull request of a project that has nothing to offer is refused with a sentence', async () => {
  const source = forge.repository('owner/empty', filesOf('em-1', print(answer())))
  await world.api('POST', '/api/projects', { source, id: 'empty' })
  const none = await pr('empty', '--wait')
  expect({ code: none.code, stderr: none.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('no work branch'),
  })
  await world.api('POST', '/api/projects/empty/pause')
  expect((await pr('empty')).stderr).toContain('beadloom resume empty')
  expect(await world.api('GET', '/api/projects/empty/pull-requests')).toEqual({ status: 200, body: { items: [] } })
  const statuses = async (...asked: [string, string, object?][]) => {
    const answers = await Promise.all(asked.map(([method, path, body]) => world.api(method, path, body)))
    return answers.map(({ status }) => status)
  }
  expect(
    await statuses(
      ['GET', '/api/pull-requests/nonsense'],
      ['GET', '/api/pull-requests/pr-0000000000'],
      ['POST', '/api/pull-requests/pr-0000000000/cancel'],
      ['POST', '/api/projects/no-such/pull-requests', {}],
      ['POST', '/api/projects/empty/pull-requests', { titel: 'x' }],
    ),
  ).toEqual([404, 404, 404, 404, 400])
})

describe('a server that is killed', () => {
  let victim: Victim
  let its: Gitea
  beforeAll(async () => {
    victim = await Victim.start()
    const folder = join(victim.folder, 'forge')
    mkdirSync(folder)
    its = await Gitea.start(folder)
    knows(victim.data, its)
  })
  afterAll(async () => {
    await its.stop()
    await victim.remove()
  })

  test.each([
    ['while it asks the forge what is open', 'find'],
    ['when the forge has opened it and not answered yet', 'opened'],
  ] as const)('%s opens exactly one after its restart', async (_, moment) => {
    const source = its.repository(`owner/${moment}`, filesOf('ki-1', print(answer())))
    await victim.api('POST', '/api/projects', { source, id: moment })
    await victim.ended(await victim.queue(moment, 'ki-1'))
    const died = new Promise<void>((resolve, reject) => {
      its.at = (now) => {
        if (now !== moment) return
        its.at = () => {}
        return victim.kill().then(resolve, reject)
      }
    })
    const { id } = await victim.api<PullRequestView>('POST', `/api/projects/${moment}/pull-requests`, {})
    await died
    await victim.again()
    const waited = await beadloom(['pr', '-p', moment, '--wait', '--json', '--data', victim.data])
    expect(JSON.parse(waited.stdout)).toMatchObject({ state: 'open', number: 1 })
    expect(its.pulls.filter(({ path }) => path === `owner/${moment}`)).toHaveLength(1)
    expect(await victim.api('GET', `/api/pull-requests/${id}`)).toMatchObject({ state: 'open', number: 1 })
  })
})
