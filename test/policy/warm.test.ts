// @suite policy-long
import { expect, test } from 'vitest'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { EngineError } from '@beadloom/server/src/ports/engine.ts'
import { ProcessEngine } from '../support/process-engine/process-engine.ts'
import { RUNTIME } from '../support/process-engine/process-host.ts'
import { changeLock, lockedProject } from '../support/locked-project.ts'
import { containerOf, workOf } from '../support/session-events.ts'
import type { World, WorldOptions } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* Sandboxes that are opened ahead, judged by the store's rows (who has which), never by speed. */
const GIB = 1024 ** 3
const start = worldsOfATest()
const open = (options: WorldOptions = {}) =>
  start({
    memory: () => ({ freeBytes: 16 * GIB, totalBytes: 16 * GIB }),
    ...options,
    flags: { warm: '3', ...options.flags },
  })

const beads = ['wa-1', 'wa-2', 'wa-3', 'wa-4'].map((id) => ({ id, title: `Do ${id}` }))
const agent = `echo found: $(ls | tr '\\n' ' ')
echo x > "$(git branch --show-current | tr / _).txt"; echo left > ignored`
const files = (config = {}) => lockedProject(agent, config)

const rows = (world: World) => world.server.store.containers()
const waiting = (world: World) => rows(world).filter(({ state }) => state === 'warm')
const ready = async (world: World) => (await world.get<ServerStatus>('/api/status')).warm
/** The one waiting container, once there is one. */
async function theOne(world: World) {
  await world.until(async () => (await ready(world)) === 1)
  const [one, ...more] = waiting(world)
  expect(more).toEqual([])
  if (!one) throw new Error('nothing waits')
  return one
}
/** Files in the workspace when the agent began. */
const foundBy = (log: string) => /^› found: (.*)$/m.exec(log)?.[1]?.trim().split(' ')

test('an execution takes a waiting container, and its first session has the newest commit and nothing of another bead', async () => {
  const world = await open()
  await world.addProject('one', files(), beads)
  expect(await ready(world)).toBe(0)
  await world.run('one', 'wa-1')
  const { name, engineId, owner } = await theOne(world)
  expect(owner).toBe(null)
  const { containers } = await world.get<SystemView>('/api/system')
  expect(containers?.items).toMatchObject([{ execution: null, waitsFor: 'one', kind: 'work' }])

  const second = await world.run('one', 'wa-2')
  expect(second.state).toBe('COMPLETED')
  expect(second.sessions.map(({ kind }) => kind)).toEqual(['work', 'verify'])
  expect(containerOf(second)).toBe(engineId)
  expect(await world.containers.made(second.id, 'work')).toBe(0)

  await theOne(world)
  const third = await world.run('one', 'wa-3')
  expect(containerOf(third)).not.toBe(engineId)
  // Both earlier branches were merged after this container was opened, or just before.
  expect(foundBy(await world.log(workOf(third)))).toEqual([
    'README.md',
    'agent.sh',
    'beadloom.json',
    'beads-wa-1-do-wa-1.txt',
    'beads-wa-2-do-wa-2.txt',
    'installed',
    'package-lock.json',
    'test.sh',
  ])
  await world.until(() => rows(world).every((row) => row.name !== name))
})

test('two executions that start at once never share one: one of them opens its own', async () => {
  const world = await open()
  await world.addProject('two', files(), beads)
  await world.run('two', 'wa-1')
  const { engineId } = await theOne(world)
  const queued = [await world.queue('two', 'wa-2'), await world.queue('two', 'wa-3')]
  const ended = await Promise.all(queued.map(({ id }) => world.ended(id)))
  expect(ended.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
  const containers = ended.map(containerOf)
  expect(containers.filter((container) => container === engineId)).toHaveLength(1)
  expect(new Set(containers).size).toBe(2)
})

test('a container of a changed environment is not taken, and is closed', async () => {
  const world = await open()
  const { remote } = await world.addProject('other', files(), beads)
  await world.run('other', 'wa-1')
  const before = await theOne(world)
  changeLock(world, remote)
  const second = await world.run('other', 'wa-2')
  expect(second.state).toBe('COMPLETED')
  expect(containerOf(second)).not.toBe(before.engineId)
  await world.until(() => rows(world).every(({ name }) => name !== before.name))
  const after = await theOne(world)
  expect(after.environment).not.toBe(before.environment)
})

test('a container that somebody removed is not missed: the execution opens its own', async () => {
  const world = await open()
  await world.addProject('removed', files(), beads)
  await world.run('removed', 'wa-1')
  const { engineId } = await theOne(world)
  await world.containers.remove(engineId ?? '')
  const second = await world.run('removed', 'wa-2')
  expect(second).toMatchObject({ state: 'COMPLETED', retryAttempt: 0 })
  expect(containerOf(second)).not.toBe(engineId)
})

test('none waits for a project that is paused, wants none, or has a network', async () => {
  const world = await open()
  await world.addProject('none', files({ warm: 0 }), beads)
  await world.addProject('bridge', files({ network: 'bridge' }), beads)
  await world.addProject('paused', files(), beads)
  await world.run('none', 'wa-1')
  await world.run('bridge', 'wa-1')
  await world.run('paused', 'wa-1')
  expect((await theOne(world)).project).toBe('paused')
  await world.api('POST', '/api/projects/paused/pause')
  await world.until(() => rows(world).length === 0)
  await world.api('POST', '/api/projects/paused/resume')
  await theOne(world)
  await world.api('DELETE', '/api/projects/paused')
  await world.until(() => rows(world).length === 0)
})

test('all waiting containers are closed when memory gets short', async () => {
  let freeBytes = 16 * GIB
  const world = await open({ memory: () => ({ freeBytes, totalBytes: 16 * GIB }) })
  await world.addProject('short', files({ warm: 2 }), beads)
  await world.run('short', 'wa-1')
  await world.until(async () => (await ready(world)) === 2)
  freeBytes = GIB
  await world.until(() => rows(world).length === 0)
  expect((await world.run('short', 'wa-2')).state).toBe('COMPLETED')
})

test('a server that stops closes waiting containers, and the next one opens another before anything runs', async () => {
  const first = await open()
  const { host, data } = first
  await first.addProject('again', files(), beads)
  await first.run('again', 'wa-1')
  const { name } = await theOne(first)
  await first.server.stop()
  if (host) expect(host.find(name)).toBe(null)

  const next = await open({ data, host })
  const other = await theOne(next)
  expect(other.name).not.toBe(name)
  const second = await next.run('again', 'wa-2')
  expect(second.sessions.find(({ kind }) => kind === 'work')?.container).toBe(other.engineId)
})

test('a container that still waits when a server has died is removed by the next one', async () => {
  const first = await open({ flags: { warm: '0' } })
  const { host, data } = first
  if (!host) return // only on processes can a container be made up that a dead server has left
  await first.addProject('left', files(), beads)
  await first.run('left', 'wa-1') // from then on it takes nothing that it finds for a former server's
  const { store } = first.server
  const name = 'beadloom-warm-left'
  const spec = { name, network: 'none', cpus: 1, memoryBytes: GIB, processes: 64 } as const
  const labels = { execution: '', kind: 'work' }
  const made = { ...spec, image: RUNTIME, labels, linkFolder: null, magic: '0'.repeat(32) }
  const project = parseProjectId('left')
  store.addContainer({
    name,
    engine: 'local',
    project,
    environment: RUNTIME,
    purpose: 'work',
    keepsWork: true,
    owner: null,
  })
  const { id } = await new ProcessEngine(host, store.instance).create(made)
  store.containerCreated(name, id)
  await first.server.stop()
  expect(host.find(name)).not.toBe(null)

  const next = await open({ data, host })
  await next.until(() => rows(next).length === 0)
  expect(host.find(name)).toBe(null)
})

test('missing and unopenable containers keep no execution from its own', async () => {
  const world = await open()
  await world.addProject('failing', files({ warm: 8 }), beads)
  await world.run('failing', 'wa-1')
  await world.until(async () => (await ready(world)) === 3)
  const { host } = world
  if (!host) return
  host.failsNext.create.push(new EngineError('no-space', 'no space is left'))
  for (const { engineId } of waiting(world)) await world.containers.remove(engineId ?? '')
  const second = await world.run('failing', 'wa-2')
  expect(second.state).toBe('COMPLETED')
})
