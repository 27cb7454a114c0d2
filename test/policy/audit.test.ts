// @suite policy-long
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git, makeRepository } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * Everything off the straight path: beads that run again, remotes that move or vanish, cancels at every moment,
 * settings that name something missing. With real repositories.
 */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

/** A setup for which no earlier run of these tests has left an image. */
const unmade = `echo ${Date.now()}`
const statusOf = async (project: string, id: string) =>
  (await world.get<{ status: string }>(`/api/projects/${project}/beads/${id}`)).status
const cancel = (id: string) => world.api('POST', `/api/executions/${id}/cancel`)
const isAtWork = (id: string) =>
  world.until(async () =>
    (await world.execution(id)).sessions.some(({ kind, state }) => kind === 'work' && state === 'running'),
  )
const idOf = `cat > /tmp/prompt; id=$(grep -o 'Bead #[a-z0-9-]*' /tmp/prompt | head -1 | cut -c7-)\n`

test('a bead whose agent left a conflict unjoined runs again: its agent is asked to merge, and its work goes in', async () => {
  const { remote } = await world.addProject(
    'conflict',
    shellProject({
      agent: `${idOf}if grep -q 'CONFLICTS WITH OTHER WORK' /tmp/prompt; then
  exit 0
elif grep -q 'git merge origin/beadloom/work' /tmp/prompt; then
  git merge -q origin/beadloom/work; echo both > same.txt
else
  echo "$id" > same.txt
fi
git add -A && git commit -qm "Bead $id: Say who" && git push -q\n`,
    }),
    [
      { id: 'co-1', title: 'Say who' },
      { id: 'co-2', title: 'Say who' },
    ],
  )
  const queued = await Promise.all([world.queue('conflict', 'co-1'), world.queue('conflict', 'co-2')])
  const ends = await Promise.all(queued.map(({ id }) => world.ended(id)))
  const lost = ends.find(({ state }) => state === 'FAILED')
  expect(ends.map(({ state }) => state).sort()).toEqual(['COMPLETED', 'FAILED'])
  expect(lost).toMatchObject({ reason: 'push_conflict', detail: expect.stringContaining('same.txt') })
  expect(await world.run('conflict', lost!.bead)).toMatchObject({ state: 'COMPLETED' })
  expect(git(remote, 'show', 'beadloom/work:same.txt')).toBe('both')
})

test('a bead whose branch is behind continues on top of later merges', async () => {
  await world.addProject(
    'behind',
    shellProject({
      agent: `${idOf}ls > seen-by-$id.txt; ${commitAndPush('$id', 'Look')}test "$id" = be-2 || test -f seen-by-be-2.txt\n`,
    }),
    [
      { id: 'be-1', title: 'Look' },
      { id: 'be-2', title: 'Look' },
    ],
  )
  expect(await world.run('behind', 'be-1')).toMatchObject({ state: 'FAILED', reason: 'agent_failed' })
  expect(await world.run('behind', 'be-2')).toMatchObject({ state: 'COMPLETED' })
  expect(await world.run('behind', 'be-1')).toMatchObject({ state: 'COMPLETED' })
})

test('verified work that could not be published is published when the bead runs again, without new work', async () => {
  const { remote } = await world.addProject(
    'away',
    shellProject({
      agent: `cat > /dev/null; echo hi > hi.txt; git add -A; git commit -qm 'Bead aw-1: Greet'; git push -q\n`,
      test: 'test -f hi.txt; sleep 1\n',
    }),
    [{ id: 'aw-1', title: 'Greet' }],
  )
  const { id } = await world.queue('away', 'aw-1')
  await isAtWork(id)
  renameSync(remote, `${remote}.gone`)
  await world.until(async () => (await world.events(id)).some(({ type }) => type === 'push_pending'))
  await cancel(id)
  const cancelled = await world.ended(id)
  expect(cancelled).toMatchObject({
    state: 'CANCELLED',
    detail: expect.stringContaining('already merged into beadloom/work in the hub'),
  })
  expect(await statusOf('away', 'aw-1')).toBe('open')
  renameSync(`${remote}.gone`, remote)
  expect(await world.run('away', 'aw-1')).toMatchObject({ state: 'COMPLETED' })
  expect(git(remote, 'show', 'beadloom/work:hi.txt')).toBe('hi')
})

test('a cancel at any moment ends CANCELLED, or COMPLETED when it came too late, and leaves nothing behind', async () => {
  const beads = Array.from({ length: 9 }, (_, n) => ({ id: `ca-${n}`, title: `Cancel ${n}` }))
  await world.addProject(
    'cancel',
    shellProject({
      agent: `${idOf}echo $id > $id.txt; ${commitAndPush('$id', 'x')}`,
      config: { setup: unmade },
    }),
    beads,
  )
  const moments = [
    'proving',
    'state',
    'clamped',
    'attempt',
    'section',
    'result',
    'verification',
    'integrated',
    'published',
  ]
  const ids: string[] = []
  for (const [n, moment] of moments.entries()) {
    const { id } = await world.queue('cancel', `ca-${n}`)
    ids.push(id)
    // If it ends before that moment, the cancel is refused.
    const over = async () => (await world.execution(id)).endedAt !== null
    const isThere = async () =>
      moment === 'proving'
        ? (await world.get<BeadView>(`/api/projects/cancel/beads/ca-${n}`)).reason?.code === 'base_proving'
        : (await world.events(id)).some(({ type }) => type === moment)
    await world.until(async () => (await over()) || (await isThere()))
    const answers = await Promise.all([cancel(id), cancel(id)])
    const ended = await world.ended(id)
    expect([202, 409]).toContain(answers[0].status)
    expect(['CANCELLED', 'COMPLETED'], moment).toContain(ended.state)
    expect(await statusOf('cancel', `ca-${n}`)).toBe(ended.state === 'COMPLETED' ? 'done' : 'open')
    expect(ended.sessions.every(({ state }) => state === 'ended')).toBe(true)
  }
  for (const id of ids) expect(await world.containers.of(id)).toEqual([])
  expect(readdirSync(join(world.data, 'link'))).toEqual([])
})

test('if the execution that makes the image for all is cancelled, another makes it', async () => {
  // The base's image is there when they start. Their own work's is not: all three changed a lock file alike.
  await world.addProject(
    'shared',
    shellProject({
      agent: `${idOf}if [ -e $id.txt ]; then echo > again-$id; fi; echo lock > package-lock.json; echo $id > $id.txt; ${commitAndPush('$id', 'x')}`,
      test: 'ls again-*\n',
      config: { setup: `${unmade}; [ ! -e package-lock.json ] || sleep 3`, verification: { maxAttempts: 1 } },
    }),
    [1, 2, 3].map((n) => ({ id: `sh-${n}`, title: `Share ${n}` })),
  )
  for (const n of [1, 2, 3]) expect((await world.run('shared', `sh-${n}`)).state).toBe('FAILED')
  const ids = (await Promise.all([1, 2, 3].map((n) => world.queue('shared', `sh-${n}`)))).map(({ id }) => id)
  const maker = async () => {
    for (const id of ids) if ((await world.execution(id)).sessions.some(({ kind }) => kind === 'setup')) return id
    return null
  }
  await world.until(async () => (await maker()) !== null)
  const first = await maker()
  await cancel(first ?? '')
  for (const id of ids) expect(await world.ended(id)).toMatchObject({ state: id === first ? 'CANCELLED' : 'COMPLETED' })
})

test('a deleted base branch is reported, and mended by beadloom.json alone', async () => {
  const files = shellProject({ agent: 'true\n', config: { baseBranch: 'develop' } })
  const folder = makeRepository(join(world.newFolder('bases'), 'repo'), files)
  git(folder, 'branch', 'develop')
  await world.api('POST', '/api/projects', { source: folder, id: 'bases' })
  const sync = async () => (await world.api<ProjectView>('POST', '/api/projects/bases/sync')).body
  expect(await sync()).toMatchObject({ baseBranch: 'develop', problem: null })
  git(folder, 'branch', '-D', 'develop')
  expect((await sync()).problem).toContain('has no branch develop')
  execFileSync('sed', ['-i', 's/"develop"/"main"/', join(folder, 'beadloom.json')])
  git(folder, 'commit', '--quiet', '--all', '--message', 'Mend')
  expect(await sync()).toMatchObject({ baseBranch: 'main', problem: null })
})

test('a digest is about the tests, and a bead that somebody closed meanwhile stays closed', async () => {
  await world.addProject(
    'closed',
    shellProject({
      agent: `echo x > x.txt\n${commitAndPush('cl-1', 'x')}`,
      test: 'echo "expected 1 to be 2"; exit 1\n',
      config: { verification: { maxAttempts: 1 } },
    }),
    [{ id: 'cl-1', title: 'x' }],
  )
  const { id } = await world.queue('closed', 'cl-1')
  await isAtWork(id)
  await world.api('PATCH', '/api/projects/closed/beads/cl-1', { status: 'done' })
  const ended = await world.ended(id)
  expect(ended.detail).toContain('expected 1 to be 2')
  expect(ended.detail).not.toMatch(/HEAD is now at|new branch/)
  expect(await statusOf('closed', 'cl-1')).toBe('done')
  const warnings = (await world.events(id)).filter(({ type }) => type === 'warning')
  expect(warnings.map(({ data }) => data)).toEqual([
    { text: 'somebody set the bead to done while it ran, so it stays done' },
  ])
})

test('a project that is removed takes its logs with it', async () => {
  const [ended] = (await world.get<{ items: { id: string }[] }>('/api/executions?project=closed')).items
  const logs = join(world.data, 'logs', ended?.id ?? '')
  expect(existsSync(logs)).toBe(true)
  expect((await world.api('DELETE', '/api/projects/closed')).status).toBe(204)
  expect(existsSync(logs)).toBe(false)
})
