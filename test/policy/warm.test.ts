import { afterEach, expect, test } from 'vitest'
import type { ServerStatus } from '@beadloom/core/api/server-api.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World, type WorldOptions } from '../support/world.ts'

/*
 * Sandboxes that are opened ahead, told by the store's rows: who has which, and never by how fast something was.
 */
const GIB = 1024 ** 3
const worlds: World[] = []
const open = async (options: WorldOptions = {}) => {
  const flags = { warm: '3', ...options.flags }
  const memory = options.memory ?? (() => ({ freeBytes: 16 * GIB, totalBytes: 16 * GIB }))
  const world = await World.start({ engine: 'process', ...options, flags, memory })
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0).reverse()) await world.stop()
})

const beads = ['wa-1', 'wa-2', 'wa-3', 'wa-4'].map((id) => ({ id, title: `Do ${id}` }))
const agent = `cat > /dev/null; echo found: $(ls | tr '\\n' ' '); 
echo x > "$(git branch --show-current | tr / _).txt"; echo left > ignored\n`
const files = (config = {}) => ({
  ...shellProject({
    agent: `${agent}${commitAndPush('wa', 'Do it')}`,
    config: { setup: 'cp package-lock.json installed', test: 'true', ...config },
  }),
  'package-lock.json': 'first lock\n',
  '.gitignore': 'installed\nignored\n',
})

const rows = (world: World) => world.server.store.containers()
const waiting = (world: World) => rows(world).filter(({ state }) => state === 'warm')
const ready = async (world: World) => (await world.get<ServerStatus>('/api/status')).warm
/** The one that waits, once it does. */
async function theOne(world: World) {
  await world.until(async () => (await ready(world)) === 1)
  const [one, ...more] = waiting(world)
  expect(more).toEqual([])
  if (!one) throw new Error('nothing waits')
  return one
}
const logOf = (world: World, { sessions }: { sessions: { id: string; kind: string }[] }) =>
  world.log(sessions.find(({ kind }) => kind === 'work')?.id ?? 'none')
/** What was in the workspace when the agent began. */
const foundBy = (log: string) => /^› found: (.*)$/m.exec(log)?.[1]?.trim().split(' ')

test('an execution takes the one that waits, and its first session has the newest commit and nothing of another bead', async () => {
  const world = await open()
  await world.addProject('one', files(), beads)
  expect(await ready(world)).toBe(0)
  await world.run('one', 'wa-1')
  const { name, engineId, owner } = await theOne(world)
  expect(owner).toBe(null)

  const second = await world.run('one', 'wa-2')
  expect(second.state).toBe('COMPLETED')
  expect(second.sessions.map(({ kind }) => kind)).toEqual(['work', 'verify'])
  expect(second.sessions.find(({ kind }) => kind === 'work')?.container).toBe(engineId)
  expect(await world.containers.made(second.id, 'work')).toBe(0)

  await theOne(world)
  const third = await world.run('one', 'wa-3')
  expect(third.sessions.find(({ kind }) => kind === 'work')?.container).not.toBe(engineId)
  // The branches of both beads before it were merged after this one had been opened, or just before.
  expect(foundBy(await logOf(world, third))).toEqual([
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
