// @suite policy-long
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { git } from '../support/repository.ts'
import { author, blog, blogProject, type Blog } from '../support/blog.ts'
import { planText } from '../support/planned.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* Between two phases, a person can look at the work and decide whether the next one begins. */
const start = worldsOfATest()

async function queued(world: World, project: string, bead: string, given: Blog = {}) {
  const beads = [
    { id: bead, title: 'A blog' },
    { id: `${bead}0`, title: 'Another' },
  ]
  const { remote } = await world.addProject(project, blogProject(given), beads)
  await world.api('PUT', `/api/projects/${project}/beads/${bead}/plan`, JSON.parse(planText(blog)))
  return { remote, id: (await world.queue(project, bead)).id }
}

const waitsAfter = (world: World, id: string, after: number) =>
  world.until(async () => waitOfKind((await world.execution(id)).waits, 'phase')?.after === after)
const act = (world: World, id: string, what: 'pause' | 'resume') =>
  world.api<ExecutionView & { error?: { code: string; message: string } }>(
    'POST',
    `/api/executions/${id}/${what}`,
    what === 'pause' ? { at: 'phase' } : undefined,
  )
const begun = async (world: World, id: string) =>
  (await world.events(id)).flatMap(({ type, data }) =>
    type === 'phase_started' ? [(data as { phase: number }).phase] : [],
  )

test('with a checkpoint it waits after each phase without slot and container, across a restart, and continues on request', async () => {
  const first = await start({ flags: { slots: '1' } })
  const { remote, id } = await queued(first, 'w', 'w-1', {
    config: { planning: { command: 'x', checkpoint: 'phase' } },
  })
  expect(await act(first, id, 'resume')).toMatchObject({ status: 409, body: { error: { code: 'not_now' } } })
  await waitsAfter(first, id, 1)
  expect(await begun(first, id)).toEqual([1])
  expect(await first.containers.of(id)).toEqual([])
  expect(await first.get<ServerStatus>('/api/status')).toMatchObject({ slots: { total: 1, used: 0 } })
  await first.until(async () => (await first.get<BeadView>('/api/projects/w/beads/w-1')).reason?.code === 'phase_waits')
  expect((await first.get<BeadView>('/api/projects/w/beads/w-1')).reason?.text).toBe(
    'phase 1 is done: waits for you (beadloom plan w-1 --continue)',
  )
  // Another bead has the slot meanwhile.
  expect((await first.run('w', 'w-10', { planning: { when: 'never' } })).startedAt).not.toBeNull()
  await first.server.stop()

  const again = await start({ data: first.data, host: first.host, flags: { slots: '1' } })
  expect(await act(again, id, 'pause')).toMatchObject({ status: 409 })
  expect((await again.execution(id)).waits).toMatchObject({ kind: 'phase', after: 1, continued: false })
  expect(await act(again, id, 'resume')).toMatchObject({ status: 202 })
  await waitsAfter(again, id, 2)
  await act(again, id, 'resume')
  const ended = await again.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(ended.waits).toBeNull()
  expect(git(remote, 'log', '-3', '--format=%s', ended.branch).split('\n')).toEqual([
    'Phase 3: Page',
    'Phase 2: Users, Posts',
    'Phase 1: Test users and posts',
  ])
  const told = (await again.events(id)).flatMap(({ type }) => (/^phase_(waits|continues)$/.test(type) ? [type] : []))
  expect(told).toEqual(['phase_waits', 'phase_continues', 'phase_waits', 'phase_continues'])
})

test('a person can let it wait after the current phase, stop it there, and restart it from a phase', async () => {
  const world = await start()
  const slow = author.replace("'Test users and posts') ", "'Test users and posts') sleep 2; ")
  const { id } = await queued(world, 'p', 'p-1', { author: slow })
  await world.until(async () => (await begun(world, id)).length === 1)
  expect(await act(world, id, 'pause')).toMatchObject({ status: 202, body: { pauseAsked: true } })
  expect((await act(world, id, 'resume')).body.pauseAsked).toBeUndefined()
  await act(world, id, 'pause')
  await waitsAfter(world, id, 1)
  await world.api('POST', `/api/executions/${id}/cancel`)
  const stopped = await world.ended(id)
  expect(stopped).toMatchObject({ state: 'CANCELLED' })
  const hub = `${world.data}/hub/p.git`
  const firstPhase = git(hub, 'rev-parse', stopped.branch)
  expect(git(hub, 'log', '-1', '--format=%s', firstPhase)).toBe('Phase 1: Test users and posts')

  const from = (fromPhase: number) =>
    world.api<{ error: { code: string; message: string } }>('POST', '/api/projects/p/beads/p-1/executions', {
      fromPhase,
    })
  expect(await from(3)).toMatchObject({
    status: 409,
    body: { error: { code: 'no_phase', message: expect.stringContaining('beadloom run p-1 --from-phase 2') } },
  })
  expect((await from(4)).body.error.message).toContain('has 3 phases')
  const second = await world.run('p', 'p-1', { fromPhase: 1 })
  expect(second).toMatchObject({ state: 'COMPLETED', fromPhase: 1 })
  expect(await begun(world, second.id)).toEqual([1, 2, 3])
  git(hub, 'merge-base', '--is-ancestor', firstPhase, `refs/beadloom/${second.id}/before-phase-1`)
  expect(git(hub, 'rev-list', second.branch)).not.toContain(firstPhase)
  expect(git(hub, 'log', '--format=%s', `${second.baseCommit}..${second.branch}`).split('\n')).toHaveLength(3)
})
