import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A server that went away and came back, and data folders that it cannot have. */
let worlds: World[] = []
afterEach(async () => {
  for (const world of worlds) await world.stop()
  worlds = []
})
const start = async (options?: Parameters<typeof World.start>[0]) => {
  const world = await World.start(options)
  worlds.push(world)
  return world
}
const ours = (world: World) =>
  execFileSync('docker', ['ps', '-aq', '--filter', `label=beadloom.instance=${world.server.store.instance}`], {
    encoding: 'utf8',
  }).trim()

test('what ran when the server stopped goes on at the next start; what was queued stays queued', async () => {
  const first = await start({ flags: { slots: '1' } })
  await first.addProject('r', shellProject({ agent: 'echo precious > work.txt; echo ready; sleep 600\n' }), [
    { id: 'r-1', title: 'Interrupted', priority: 0 },
    { id: 'r-2', title: 'Waiting', priority: 1 },
  ])
  const { id } = await first.queue('r', 'r-1')
  await first.printed(id, 'ready')
  const second = await first.queue('r', 'r-2')
  await first.server.stop()

  const again = await start({ data: first.data, flags: { slots: '1' } })
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
  expect(ours(again)).toBe('')
})

test('containers of another server are never touched', async () => {
  const image = execFileSync('docker', ['images', '-q', 'beadloom/runtime'], { encoding: 'utf8' }).split('\n')[0] ?? ''
  const foreign = execFileSync(
    'docker',
    [
      'create',
      '--label',
      'beadloom.instance=in-000000000000',
      '--label',
      'beadloom.execution=ex-0000000000',
      '--label',
      'beadloom.kind=work',
      image,
    ],
    { encoding: 'utf8' },
  ).trim()
  try {
    const world = await start()
    await world.addProject('f', shellProject({ agent: 'echo x > x.txt\n' }), [{ id: 'f-1', title: 'x' }])
    await world.run('f', 'f-1')
    expect(execFileSync('docker', ['ps', '-aq', '--no-trunc'], { encoding: 'utf8' })).toContain(foreign)
  } finally {
    execFileSync('docker', ['rm', foreign])
  }
})

test('a data folder that another server uses is refused, and the other one goes on', async () => {
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
