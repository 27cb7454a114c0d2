// @suite flow-long
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { DockerGate } from '../support/docker-gate.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Docker is away, appears, dies while a bead runs, and comes back. */
const gate = new DockerGate()
let world: World
beforeAll(async () => {
  world = await World.start({ env: { DOCKER_HOST: gate.host } })
  await world.addProject(
    'd',
    // The first bead runs long enough to lose Docker meanwhile.
    shellProject({
      agent: `echo started; grep -q 'Bead #d-1 ' && sleep 8; date +%s%N > x.txt\n${commitAndPush('d-1', 'Survive')}`,
    }),
    [
      { id: 'd-1', title: 'Survive' },
      { id: 'd-2', title: 'Wait' },
      { id: 'd-3', title: 'Start' },
      { id: 'd-4', title: 'Come back' },
    ],
  )
})
afterAll(async () => {
  await world.stop()
  await gate.shut()
})

test('without Docker the server is up, says so, and beads wait with that as their reason', async () => {
  const { id } = await world.queue('d', 'd-1')
  await world.until(async () =>
    (await world.get<Page<BeadCard>>('/api/projects/d/beads')).items.some(({ reason }) => reason?.code === 'no_docker'),
  )
  const status = await world.get<ServerStatus>('/api/status')
  expect(status.docker).toMatchObject({ ok: false, text: expect.stringMatching(/docker/i) })
  expect((await world.execution(id)).state).toBe('QUEUED')
})

test('queued beads start by themselves when Docker comes; if Docker dies and returns under one, its end is the real one', async () => {
  await gate.open()
  const [queued] = (await world.get<Page<{ id: string }>>('/api/executions?project=d&limit=1')).items
  const id = queued?.id ?? ''
  await world.until(async () =>
    (await world.execution(id)).sessions.some(({ kind, state }) => kind === 'work' && state === 'running'),
  )
  await gate.shut()
  await world.until(async () => !(await world.get<ServerStatus>('/api/status')).docker.ok)
  await gate.open()
  const ended = await world.ended(id)
  // Only the server lost Docker; the container and its output continued.
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(
    (await world.log(ended.sessions.find(({ kind }) => kind === 'work')?.id ?? '')).match(/started/g),
  ).toHaveLength(1)
})

test('after that the next bead runs as if nothing had happened', async () => {
  expect(await world.run('d', 'd-2')).toMatchObject({ state: 'COMPLETED' })
})

test('a container that cannot be started is not left behind, neither by the first try nor by the next', async () => {
  gate.refuses = /^POST .*\/containers\/[0-9a-f]+\/start/
  const ended = await world.run('d', 'd-3', { retryCount: 1, retryDelay: 1 })
  gate.refuses = null
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'retries_exhausted', retryAttempt: 1 })
  expect(ended.detail).toContain('not today')
  const tried = ended.sessions.filter(({ kind }) => kind === 'work').map(({ outcome }) => outcome)
  expect(tried).toEqual(['infra_error', 'infra_error'])
  expect(ended.sessions.every(({ state }) => state === 'ended')).toBe(true)
  const of = `label=beadloom.execution=${ended.id}`
  expect(execFileSync('docker', ['ps', '-aq', '--filter', of], { encoding: 'utf8' })).toBe('')
})

test('Beadloom waits for Docker if it goes away while a container is made, whatever the retry policy says', async () => {
  gate.diesAt = /^POST .*\/containers\/create/
  const { id } = await world.queue('d', 'd-4')
  await world.until(async () => (await world.events(id)).some(({ type }) => type === 'retry_outside'))
  await world.until(async () => !(await world.get<ServerStatus>('/api/status')).docker.ok)
  await gate.open()
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED', retryAttempt: 0, retryCount: 0 })
})
