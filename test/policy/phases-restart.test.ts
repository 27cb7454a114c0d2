import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { parseSessionId } from '@beadloom/core/records/ids.ts'
import { git } from '../support/repository.ts'
import { author, blog, blogProject, ready, type Blog } from '../support/blog.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { planText, print } from '../support/planned.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* Work by a plan continues where it was when its server went away. */
const start = worldsOfATest()

async function queued(world: World, project: string, bead: string, given: Blog) {
  const { remote } = await world.addProject(project, blogProject(given), [{ id: bead, title: 'A blog' }])
  await world.api('PUT', `/api/projects/${project}/beads/${bead}/plan`, JSON.parse(planText(blog)))
  return { remote, id: (await world.queue(project, bead)).id }
}

/** Waits until so many sessions of this execution have printed this. */
const printed = (world: World, id: string, text: string, count = 1) =>
  world.until(async () => {
    const { sessions } = await world.execution(id)
    const logs = await Promise.all(sessions.map((one) => world.log(one.id)))
    return logs.filter((log) => log.includes(text)).length >= count
  })

const subjectsOf = (remote: string, branch: string) => git(remote, 'log', '-3', '--format=%s', branch).split('\n')
const done = ['Phase 3: Page', 'Phase 2: Users, Posts', 'Phase 1: Test users and posts']

longTest.each([
  ['in a subtask', { author: author.replace('Users) ', 'Users) echo HERE; sleep 4; ') }],
  [
    'in a review',
    {
      reviewer: `cat > /tmp/prompt; grep -q 'Phase 2 of 3' /tmp/prompt && { echo HERE >&2; sleep 4; }\ncat <<'END'\n${ready}\nEND\n`,
    },
  ],
  ['in the checks of a phase', { author: author.replace("printf 'test -f", "printf 'echo HERE; sleep 4; test -f") }],
  [
    'in a session that mends what checks found',
    {
      author: `${author.replace('echo users > users.txt', 'echo users > user.txt')}
grep -q 'What Failed' /tmp/prompt && { echo HERE; sleep 4; mv user.txt users.txt; }
true
`,
    },
  ],
])('a server that went away %s finds it again, and the end is the same', async (where, given) => {
  const first = await start()
  const { remote, id } = await queued(first, 'r', 'r-1', given)
  await printed(first, id, 'HERE')
  await first.server.stop()
  const again = await start({ data: first.data, host: first.host })
  const ended = await again.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  // Checks are repeated; an agent continues in its container.
  expect(ended.flags.some(({ kind }) => kind === 'adopted')).toBe(!where.includes('checks of'))
  expect(subjectsOf(remote, ended.branch)).toEqual(done)
  const begun = (await again.events(id)).filter(({ type }) => type === 'phase_started')
  expect(begun).toHaveLength(3)
  expect(await again.containers.of(id)).toEqual([])
})

longTest('a cancel in the middle of a phase keeps the approved work and leaves no container', async () => {
  const world = await start()
  const { id } = await queued(world, 'c', 'c-1', { author: author.replace('Users) ', 'Users) echo HERE; sleep 600; ') })
  await printed(world, id, 'HERE')
  await world.api('POST', `/api/executions/${id}/cancel`)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'CANCELLED' })
  expect(git(`${world.data}/hub/c.git`, 'log', '-1', '--format=%s', ended.branch)).toBe('Phase 1: Test users and posts')
  expect(await world.containers.of(id)).toEqual([])
})

/** Both subtasks of the second phase wait until the hub has a branch `go`. */
const waiting = author
  .replace(
    'Users) ',
    'Users) echo HERE; until git ls-remote --exit-code origin refs/heads/go >/dev/null; do sleep 0.2; done; ',
  )
  .replace(
    'Posts) ',
    'Posts) echo HERE; until git ls-remote --exit-code origin refs/heads/go >/dev/null; do sleep 0.2; done; ',
  )
const letGo = (world: World, project: string, commit: string | null) =>
  git(`${world.data}/hub/${project}.git`, 'update-ref', 'refs/heads/go', commit ?? '')
const startsOf = async (world: World, id: string) =>
  (await world.events(id)).flatMap(({ type, data }) =>
    /^subtask_(?:started|completed)$/.test(type) ? [`${type.slice(8)} ${(data as { subtask: string }).subtask}`] : [],
  )

/** Lets an architect plan the bead, approves its plan, and returns the work that follows. */
async function approved(world: World, project: string, bead: string, given: Blog) {
  const own = { ...given, architect: print(planText(blog)), planning: { when: 'always', approve: 'ask' } }
  const { remote } = await world.addProject(project, blogProject(own), [{ id: bead, title: 'A blog' }])
  expect(await world.run(project, bead)).toMatchObject({ kind: 'plan', state: 'COMPLETED' })
  const work = async () => {
    const { items } = await world.get<Page<ExecutionView>>(`/api/executions?project=${project}`)
    return items.find(({ kind }) => kind === 'work')
  }
  expect(await work()).toBe(undefined)
  expect(await world.api('POST', `/api/projects/${project}/beads/${bead}/plan/approve`, {})).toMatchObject({
    status: 200,
  })
  await world.until(async () => (await work()) !== undefined)
  return { remote, id: (await work())?.id ?? '' }
}

test("an architect's plan waits for a person; its subtasks work side by side, and a server that went away finds them again", async () => {
  const first = await start()
  const { remote, id } = await approved(first, 'p', 'p-1', { author: waiting })
  await printed(first, id, 'HERE', 2)
  expect((await startsOf(first, id)).slice(2).toSorted()).toEqual(['started 2a', 'started 2b'])
  expect(await first.get<object>('/api/status')).toMatchObject({ slots: { total: 3 } })
  await first.server.stop()
  const again = await start({ data: first.data, host: first.host })
  letGo(again, 'p', (await again.execution(id)).baseCommit)
  const ended = await again.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(subjectsOf(remote, ended.branch)).toEqual(done)
  // No session began again: one for each subtask, and a review for each phase.
  expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(4 + 3)
  expect(await again.containers.of(id)).toEqual([])
})

longTest(
  'of two subtasks, the one that a killed server had not noted as begun is repeated, and the other one continues',
  async () => {
    const first = await start()
    const { remote, id } = await queued(first, 'k', 'k-1', { author: waiting })
    await printed(first, id, 'HERE', 2)
    const [earlier, later] = (await first.execution(id)).sessions.slice(-2)
    await first.server.stop()
    // The state that a kill leaves between the start of a container and its row.
    const db = new Database(join(first.data, 'beadloom.db'))
    db.prepare("UPDATE session SET state = 'starting', container = NULL WHERE id = ?").run(earlier?.id)
    db.close()
    const again = await start({ data: first.data, host: first.host })
    letGo(again, 'k', (await again.execution(id)).baseCommit)
    const ended = await again.ended(id)
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
    expect(subjectsOf(remote, ended.branch)).toEqual(done)
    const outcome = (of: string | undefined) => ended.sessions.find((one) => one.id === of)?.outcome
    expect([outcome(earlier?.id), outcome(later?.id)]).toEqual(['infra_error', 'success'])
    expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(4 + 3 + 1)
    expect(await again.containers.of(id)).toEqual([])
  },
)

longTest(
  'of two subtasks, the one whose container was taken away meanwhile is retried by the policy, and the other one continues',
  async () => {
    const first = await start()
    const { remote } = await first.addProject('g', blogProject({ author: waiting }), [{ id: 'g-1', title: 'A blog' }])
    await first.api('PUT', '/api/projects/g/beads/g-1/plan', JSON.parse(planText(blog)))
    const { id } = await first.queue('g', 'g-1', { retryCount: 1, retryDelay: 1, retryOn: ['evicted'] })
    await printed(first, id, 'HERE', 2)
    const [earlier, later] = (await first.execution(id)).sessions.slice(-2)
    await first.server.stop()
    const db = new Database(join(first.data, 'beadloom.db'), { readonly: true })
    const { container } = db.prepare('SELECT container FROM session WHERE id = ?').get(earlier?.id) as {
      container: string
    }
    db.close()
    await first.host?.giveUp(container, 'it was evicted')
    const again = await start({ data: first.data, host: first.host })
    letGo(again, 'g', (await again.execution(id)).baseCommit)
    const ended = await again.ended(id)
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(subjectsOf(remote, ended.branch)).toEqual(done)
    const outcome = (of: string | undefined) => ended.sessions.find((one) => one.id === of)?.outcome
    expect([outcome(earlier?.id), outcome(later?.id)]).toEqual(['infra_error', 'success'])
    expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(4 + 3 + 1)
    expect(await again.containers.of(id)).toEqual([])
  },
)

longTest.each([false, true])(
  'a subtask that broke is retried by the policy though one beside it ended later (the server is restarted between: %s)',
  async (restarts) => {
    const first = await start()
    const goes = 'git ls-remote --exit-code origin refs/heads/go >/dev/null'
    const breaks = author
      .replace('Users) ', `Users) ${goes} || exit 4; `)
      .replace('Posts) ', `Posts) until ${goes}; do sleep 0.2; done; `)
    const { remote } = await first.addProject('b', blogProject({ author: breaks }), [{ id: 'b-1', title: 'A blog' }])
    await first.api('PUT', '/api/projects/b/beads/b-1/plan', JSON.parse(planText(blog)))
    const { id } = await first.queue('b', 'b-1', { retryCount: 1, retryDelay: 1 })
    await first.until(async () =>
      (await first.execution(id)).sessions.some(({ kind, outcome }) => kind === 'work' && outcome === 'failed'),
    )
    if (restarts) await first.server.stop()
    const world = restarts ? await start({ data: first.data, host: first.host }) : first
    letGo(world, 'b', (await world.execution(id)).baseCommit)
    const ended = await world.ended(id)
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(subjectsOf(remote, ended.branch)).toEqual(done)
    // The subtask that worked is not begun again.
    expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(4 + 3 + 1)
  },
)

longTest.each([
  ['first', false],
  ['first', true],
  ['second', true],
])(
  'of two subtasks, the %s breaks while the other one works: one retry of the policy (the server is restarted between: %s)',
  async (which, restarts) => {
    const first = await start()
    const { remote } = await first.addProject('d', blogProject({ author: waiting }), [{ id: 'd-1', title: 'A blog' }])
    await first.api('PUT', '/api/projects/d/beads/d-1/plan', JSON.parse(planText(blog)))
    const { id } = await first.queue('d', 'd-1', { retryCount: 1, retryDelay: 1, retryOn: ['container lost'] })
    await printed(first, id, 'HERE', 2)
    const broken = (await first.execution(id)).sessions.at(which === 'first' ? -2 : -1)?.id ?? ''
    await first.host?.giveUp(first.server.store.session(parseSessionId(broken))?.container ?? '', 'it was taken away')
    const outcomeOf = async (world: World) =>
      (await world.execution(id)).sessions.find((one) => one.id === broken)?.outcome
    await first.until(async () => (await outcomeOf(first)) === 'infra_error')
    if (restarts) await first.server.stop()
    const world = restarts ? await start({ data: first.data, host: first.host }) : first
    letGo(world, 'd', (await world.execution(id)).baseCommit)
    const ended = await world.ended(id)
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(subjectsOf(remote, ended.branch)).toEqual(done)
    // The subtask that worked is not begun again.
    expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(4 + 3 + 1)
    const told = (await world.events(id)).filter(({ type }) => type === 'subtask_failed')
    expect(told.map(({ data }) => data)).toMatchObject([{ subtask: which === 'first' ? '2a' : '2b' }])
    expect(await world.containers.of(id)).toEqual([])
  },
)

longTest('with a single slot subtasks come one after the other', async () => {
  const world = await start({ flags: { slots: '1' } })
  const { id } = await queued(world, 'o', 'o-1', {})
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
  expect((await startsOf(world, id)).slice(2, 6)).toEqual(['started 2a', 'completed 2a', 'started 2b', 'completed 2b'])
})

longTest('a time limit in the middle of a phase keeps the approved work', async () => {
  const world = await start()
  const slow = author.replace('Users) ', 'Users) echo HERE; sleep 600; ')
  const { id } = await queued(world, 't', 't-1', {
    author: slow,
    config: { limits: { inactivityTimeoutSeconds: 15 } },
  })
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'TIMEOUT', reason: 'silence' })
  expect(ended.detail).toContain('Not done: subtask 2a "Users" (2 of 4).')
  const failed = (await world.events(id)).filter(({ type }) => type === 'subtask_failed')
  expect(failed.map(({ data }) => data)).toMatchObject([{ subtask: '2a', number: 2 }])
  expect(git(`${world.data}/hub/t.git`, 'log', '-1', '--format=%s', ended.branch)).toBe('Phase 1: Test users and posts')
  expect(await world.containers.of(id)).toEqual([])
  const { items } = await world.get<{ items: PhaseView[] }>(`/api/executions/${id}/phases`)
  expect(items.map(({ status }) => status)).toEqual(['completed', 'failed', 'pending'])
})

longTest('a plan that is edited while an older version runs changes nothing for that execution', async () => {
  const world = await start()
  const { remote, id } = await queued(world, 'v', 'v-1', { author: waiting })
  await printed(world, id, 'HERE', 2)
  const at = '/api/projects/v/beads/v-1/plan'
  const changed = await world.api<PlanView>('PUT', at, JSON.parse(planText(blog.slice(0, 3))))
  expect(changed).toMatchObject({ status: 200, body: { version: 2 } })
  letGo(world, 'v', (await world.execution(id)).baseCommit)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED', planVersion: 1 })
  expect(subjectsOf(remote, ended.branch)).toEqual(done)
  expect(await world.get<PlanView>(`${at}?version=1`)).toMatchObject({ version: 1, newest: 2 })
})
