// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Images of a project's setup take space, and are removed with the project. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const imagesOf = async (project: string) =>
  (await world.get<SystemView>('/api/system')).images?.items.filter((image) => image.project === project) ?? []
const add = (id: string, config: object) =>
  world.addProject(id, shellProject({ agent: 'echo work > work.txt', config }), [{ id: `${id}-1`, title: 'Work' }])

test('an image is listed with its project and goes with it; another project keeps its own', async () => {
  for (const id of ['goes', 'stays']) {
    await add(id, { setup: `echo ${id} > made.txt; echo made.txt > .gitignore` })
    expect((await world.run(id, `${id}-1`)).state).toBe('COMPLETED')
  }
  await expect.poll(() => imagesOf('goes'), { timeout: 60_000 }).toMatchObject([{ isOurs: true, problem: null }])
  const [image] = await imagesOf('goes')
  expect(image?.bytes).toBeGreaterThan(0)

  expect((await world.api('DELETE', '/api/projects/goes')).status).toBe(204)
  await expect.poll(() => imagesOf('goes'), { timeout: 60_000 }).toEqual([])
  expect(world.server.store.images().filter(({ project }) => project === 'goes')).toEqual([])
  expect(await imagesOf('stays')).toHaveLength(1)
})

test('a setup that is stopped half-way ends at once, although it ignores signals, and leaves nothing', async () => {
  await add('unending-setup', { setup: "trap '' TERM; echo begun > /workspace/begun; sleep 1800" })
  await world.queue('unending-setup', 'unending-setup-1')
  const proof = async () => (await world.get<EnvironmentView>('/api/projects/unending-setup/environment')).proof
  const ours = async () => (await world.get<SystemView>('/api/system')).containers?.items.map(({ kind }) => kind)
  await world.until(async () => (await proof())?.text === 'running setup' && (await ours())?.includes('setup') === true)
  expect((await world.api('POST', '/api/projects/unending-setup/environment/stop')).status).toBe(200)
  await world.until(async () => (await ours())?.length === 0)
  expect(world.server.store.containers()).toEqual([])
  expect(await imagesOf('unending-setup')).toEqual([])
})
