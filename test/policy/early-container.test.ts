// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockedProject } from '../support/locked-project.ts'
import { workOf } from '../support/session-events.ts'
import { World } from '../support/world.ts'

/*
 * From its second execution on, a project's container starts while the hub still fetches, out of the latest image. The
 * agent must not notice, whether the guess was right or wrong.
 */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const files = lockedProject('echo first words; cat installed; date +%N > "$(git branch --show-current).txt"')
const beads = ['ec-1', 'ec-2', 'ec-3'].map((id) => ({ id, title: `Do ${id}` }))
const add = (id: string) => world.addProject(id, files, beads)

test('a container that was started early runs the agent, keeps all its output, and is the only one', async () => {
  await add('early')
  await world.run('early', 'ec-1')
  const second = await world.run('early', 'ec-2')
  expect(second.state).toBe('COMPLETED')
  expect(await world.log(workOf(second))).toMatch(/^› first words\n› first lock$/m)
  expect(await world.containers.made(second.id, 'work')).toBe(1)
  expect(await world.containers.of(second.id)).toEqual([])
})

test('a container of the wrong image is not used, and nothing is left of it', async () => {
  // The latest image is the base's. The second execution continues the first's work, which changed the lock file.
  const own = 'echo first words; cat installed; date +%N > when.txt; echo second lock > package-lock.json'
  const config = { test: 'exit 1', verification: { maxAttempts: 1, proveBase: false } }
  await world.addProject('changed', lockedProject(own, config), beads)
  await world.run('changed', 'ec-1')
  const second = await world.run('changed', 'ec-1')
  expect(second).toMatchObject({ state: 'FAILED', failureKind: 'verification' })
  expect(await world.log(workOf(second))).toMatch(/^› first words\n› second lock$/m)
  expect(await world.containers.made(second.id, 'work')).toBe(2)
  expect(await world.containers.of(second.id)).toEqual([])
})

test('an image that was removed meanwhile is made again', async () => {
  await add('pruned')
  await world.run('pruned', 'ec-1')
  await world.containers.removeImages('pruned')
  const second = await world.run('pruned', 'ec-2')
  expect(second.state).toBe('COMPLETED')
  expect(second.sessions.map(({ kind }) => kind)).toEqual(['work', 'verify'])
})

test('an execution that is cancelled right after it was queued ends, and leaves nothing', async () => {
  await add('cancelled-early')
  await world.run('cancelled-early', 'ec-1')
  const { id } = await world.queue('cancelled-early', 'ec-2')
  await world.until(async () => (await world.execution(id)).state === 'RUNNING')
  await world.api('POST', `/api/executions/${id}/cancel`)
  expect(await world.ended(id)).toMatchObject({ state: 'CANCELLED' })
  expect(await world.containers.of(id)).toEqual([])
  const third = await world.run('cancelled-early', 'ec-3')
  expect(third.state).toBe('COMPLETED')
})

test('commits newer than the image come with the order: the hub is not asked for them', async () => {
  const known = '.git/logs/refs/remotes/origin/$(git branch --show-current)'
  const agent = `echo "fetched: $(grep -c fetch ${known})"; cat brought* || true; date +%N > "brought-$(git branch --show-current).txt"`
  await world.addProject('brought', lockedProject(agent), beads)
  await world.run('brought', 'ec-1')
  const second = await world.run('brought', 'ec-2')
  expect(second.state).toBe('COMPLETED')
  expect(await world.log(workOf(second))).toMatch(/^› fetched: 0\n› \d{9}$/m)
})
