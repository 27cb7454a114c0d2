// @suite flow-long
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KeptContainer } from '@beadloom/core/api/executions/container-api.ts'
import { workContainer } from '../support/containers.ts'
import { DockerGate } from '../support/docker-gate.ts'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A stop is stored as an intent and carried out, however long Docker does not answer. */
const gate = new DockerGate()
let world: World
beforeAll(async () => {
  await gate.open()
  world = await World.start({ env: { DOCKER_HOST: gate.host } })
  await world.addProject(
    's',
    shellProject({
      agent: 'cat > /dev/null; echo precious > notes.txt; echo written; sleep 600\n',
      config: { test: 'true' },
    }),
    ['s-1', 's-2'].map((id) => ({ id, title: `Take notes ${id}` })),
  )
})
afterAll(async () => {
  gate.refuses = null
  await world.stop()
  await gate.shut()
})

async function writing(bead: string) {
  const { id } = await world.queue('s', bead)
  await world.until(async () => {
    const session = (await world.execution(id)).sessions.find(
      ({ kind, state }) => kind === 'work' && state === 'running',
    )
    return session !== undefined && (await world.log(session.id)).includes('written')
  })
  return id
}

test('the supervisor stops a bead that is cancelled while Docker is away, and its work is saved when Docker is back', async () => {
  const id = await writing('s-1')
  await gate.shut()
  expect((await world.api('POST', `/api/executions/${id}/cancel`)).status).toBe(202)
  expect(await world.ended(id)).toMatchObject({
    state: 'CANCELLED',
    kept: [{ bead: 's-1', why: expect.stringContaining('Docker does not answer') }],
  })
  expect(await world.containers.of(id)).toHaveLength(1)
  await gate.open()
  await world.until(async () => (await world.containers.of(id)).length === 0)
  expect((await world.execution(id)).kept).toEqual([])
  const hub = join(world.data, 'hub', 's.git')
  expect(git(hub, 'show', `refs/beadloom/${id}/left:notes.txt`)).toBe('precious')
})

test('an unstoppable container is explained after a minute; its slot can be given back, and the work is saved once Docker lets it', async () => {
  const id = await writing('s-2')
  // Otherwise its supervisor would stop it without Docker.
  execFileSync('docker', ['pause', (await workContainer(id)) ?? ''])
  gate.refuses = /^POST .*\/(stop|kill|unpause)/
  expect((await world.api('POST', `/api/executions/${id}/abandon`)).status).toBe(409)
  await world.api('POST', `/api/executions/${id}/cancel`)
  await world.until(async () => (await world.execution(id)).stopPending !== null)
  expect((await world.execution(id)).stopPending).toMatchObject({ why: expect.stringContaining('not today') })
  expect((await world.api('POST', `/api/executions/${id}/abandon`)).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'CANCELLED', stopPending: null, kept: [{ bead: 's-2' }] })
  gate.refuses = null
  const [{ name }] = ended.kept as [KeptContainer]
  const answer = await world.api('POST', `/api/containers/${name}/save`)
  expect(answer).toMatchObject({ status: 200, body: { saved: expect.stringContaining(id) } })
  expect(await world.containers.of(id)).toEqual([])
})
