// @suite policy-long
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* A restart: used time and attempts stay used, and requests are carried out. Also unusable data folders. */
const start = worldsOfATest()
test('executions that ran when the server stopped continue at the next start; queued ones stay queued', async () => {
  const first = await start({ flags: { slots: '1' } })
  await first.addProject('r', shellProject({ agent: 'echo precious > work.txt; echo ready; sleep 600\n' }), [
    { id: 'r-1', title: 'Interrupted', priority: 0 },
    { id: 'r-2', title: 'Waiting', priority: 1 },
  ])
  const { id } = await first.queue('r', 'r-1')
  await first.printed(id, 'ready')
  const second = await first.queue('r', 'r-2')
  await first.server.stop()

  const again = await start({ data: first.data, host: first.host, flags: { slots: '1' } })
  expect(await again.execution(id)).toMatchObject({ state: 'RUNNING' })
  expect(await again.execution(second.id)).toMatchObject({ state: 'QUEUED' })
  await again.until(async () => (await again.execution(id)).flags.some(({ kind }) => kind === 'adopted'))
  await again.api('POST', `/api/executions/${id}/cancel`)
  const ended = await again.ended(id)
  expect(ended).toMatchObject({ state: 'CANCELLED' })
  const ref = /refs\/beadloom\/\S+/.exec(ended.detail)?.[0].replace(/\.$/, '') ?? ''
  expect(git(join(first.data, 'hub', 'r.git'), 'show', `${ref}:work.txt`)).toBe('precious')
  await again.until(async () => (await again.execution(second.id)).state === 'RUNNING')
  await again.api('POST', `/api/executions/${second.id}/cancel`)
  await again.ended(second.id)
  expect(await again.containers.of(id)).toEqual([])
  expect(await again.containers.of(second.id)).toEqual([])
})

test('a data folder that another server uses is refused, and the other server continues', async () => {
  const world = await start()
  await expect(World.start({ data: world.data })).rejects.toThrow(/another Beadloom server/i)
  expect((await world.api('GET', '/api/status')).status).toBe(200)
})

test('a data folder that cannot be made is refused by its path', async () => {
  const world = await start()
  const file = join(world.newFolder('blocked'), 'file')
  writeFileSync(file, '')
  await expect(World.start({ data: join(file, 'data') })).rejects.toThrow(/ENOTDIR|cannot|file/)
})

test('a port in use is refused with what to do', async () => {
  const world = await start()
  const { port } = new URL(world.server.url)
  mkdirSync(join(world.folder, 'other'))
  await expect(World.start({ flags: { port }, data: join(world.folder, 'other') })).rejects.toThrow(/--port/)
})

test("a cancel that was accepted before the server went down is carried out, and the agent's leftovers are saved", async () => {
  const first = await start()
  await first.addProject(
    'e',
    shellProject({ agent: `echo precious > work.txt; trap '' TERM; echo ready; sleep 600\n` }),
    [{ id: 'e-1', title: 'Cancel' }],
  )
  const { id } = await first.queue('e', 'e-1')
  await first.printed(id, 'ready')
  await first.api('POST', `/api/executions/${id}/cancel`)
  await first.server.stop()

  const again = await start({ data: first.data, host: first.host })
  const ended = await again.ended(id)
  expect(ended).toMatchObject({ state: 'CANCELLED' })
  const ref = /refs\/beadloom\/\S+/.exec(ended.detail)?.[0].replace(/\.$/, '') ?? ''
  expect(git(`${first.data}/hub/e.git`, 'show', `${ref}:work.txt`)).toBe('precious')
  expect(await again.containers.of(id)).toEqual([])
})

test('a restart does not give back the time that an execution has used', async () => {
  const first = await start()
  await first.addProject(
    'f',
    shellProject({ agent: 'echo ready; sleep 600\n', config: { limits: { executionTimeoutSeconds: 12 } } }),
    [{ id: 'f-1', title: 'Too long' }],
  )
  const { id } = await first.queue('f', 'f-1')
  await first.printed(id, 'ready')
  await first.server.stop()
  const again = await start({ data: first.data, host: first.host })
  expect(again.server.store.execution(parseExecutionId(id))?.elapsedMs).toBeGreaterThan(0)
  const ended = await again.ended(id)
  expect(ended).toMatchObject({ state: 'TIMEOUT', reason: 'wall_clock' })
})

test('used attempts stay used when the server goes away: each is counted before it starts', async () => {
  const first = await start()
  const agent = `cat > /dev/null; date +%N >> tries.txt; git add -A; git commit -q -m "Try"; git push -q
[ "$(wc -l < tries.txt)" != 2 ] || { echo ready; sleep 600; }
`
  const config = { verification: { maxAttempts: 2 } }
  await first.addProject('g', shellProject({ agent, config, test: 'echo "FAIL $(tail -n 1 tries.txt)"; exit 1\n' }), [
    { id: 'g-1', title: 'Count' },
  ])
  const { id } = await first.queue('g', 'g-1', { retryCount: 1, retryDelay: 1 })
  await first.until(async () => {
    const second = (await first.execution(id)).sessions.find(({ kind, attempt }) => kind === 'work' && attempt === 2)
    return second !== undefined && (await first.log(second.id)).includes('ready')
  })
  await first.server.stop()
  await first.containers.remove(...(await first.containers.of(id)))

  const again = await start({ data: first.data, host: first.host })
  const ended = await again.ended(id)
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted', attempt: 2, retryAttempt: 1 })
  const work = ended.sessions.filter(({ kind }) => kind === 'work')
  expect(work.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
    [1, 'success'],
    [2, 'infra_error'],
    [2, 'success'],
  ])
})

// Docker reports no evictions.
test.skipIf(process.env['TEST_ENGINE'] === 'docker')(
  "a container that its engine removed while the server was down ends the execution with the engine's words, or its policy retries it",
  async () => {
    const first = await start()
    await first.addProject('i', shellProject({ agent: 'echo ready; sleep 600\n' }), [
      { id: 'i-1', title: 'Taken away' },
      { id: 'i-2', title: 'Taken away, and again' },
    ])
    const one = await first.queue('i', 'i-1')
    const two = await first.queue('i', 'i-2', { retryCount: 1, retryDelay: 1, retryOn: ['evicted'] })
    for (const { id } of [one, two]) await first.printed(id, 'ready')
    await first.server.stop()
    for (const { id } of [one, two])
      for (const container of await first.containers.of(id)) await first.host?.giveUp(container, 'it was evicted')

    const again = await start({ data: first.data, host: first.host })
    const ended = await again.ended(one.id)
    const detail = expect.stringContaining('The container is gone: it was evicted.')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'infra_error', detail })
    await again.until(
      async () => (await again.execution(two.id)).sessions.filter(({ kind }) => kind === 'work').length === 2,
    )
    expect(await again.execution(two.id)).toMatchObject({ state: 'RUNNING', retryAttempt: 1 })
    await again.api('POST', `/api/executions/${two.id}/cancel`)
    await again.ended(two.id)
  },
)

test('an execution that continues at the next start keeps the settings that it started with, whatever they are now', async () => {
  const first = await start()
  const agent = `cat > /dev/null; echo run >> runs.txt; git add -A; git commit -q -m "Run"; git push -q
[ "$(wc -l < runs.txt)" -gt 1 ] || { echo ready; sleep 600; }
`
  await first.addProject('h', shellProject({ agent }), [{ id: 'h-1', title: 'Continue' }])
  const { id } = await first.queue('h', 'h-1', { retryCount: 1, retryDelay: 1 })
  await first.printed(id, 'ready')
  const chosen = { revision: 0, changes: { test: 'false' } }
  expect((await first.api('PATCH', '/api/projects/h/settings', chosen)).status).toBe(200)
  await first.server.stop()
  await first.containers.remove(...(await first.containers.of(id)))

  const again = await start({ data: first.data, host: first.host })
  const ended = await again.ended(id)
  expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
  expect(again.server.store.startedSettings(parseExecutionId(id))).toBeNull()
})
