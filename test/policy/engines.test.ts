import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Several engines at once: one that is away or unknown stops its own projects and no others. */

let world: World
beforeAll(async () => {
  const engines = { far: { docker: 'tcp://127.0.0.1:9' } }
  world = await World.start({ engine: 'process', config: { engines } })
  for (const [id, engine] of [['near'], ['away', 'far'], ['unnamed', 'nowhere']] as const) {
    const agent = `echo done > NOTE.md\n${commitAndPush('s-1', 'Note')}`
    const limits = { memoryMb: 1024 * 1024 }
    const files = shellProject({ agent, config: { limits, ...(engine !== undefined && { engine }) } })
    await world.addProject(id, files, [{ id: 's-1', title: 'Note' }])
  }
})
afterAll(() => world.stop())

const reason = async (project: string) =>
  (await world.get<Page<BeadCard>>(`/api/projects/${project}/beads`)).items[0]?.reason

test('a project on an engine that is away waits and says so, and another one works', async () => {
  await world.queue('away', 's-1')
  await world.queue('unnamed', 's-1')
  expect(await world.run('near', 's-1')).toMatchObject({ state: 'COMPLETED' })
  await world.until(async () => (await reason('away'))?.text.includes('127.0.0.1:9') === true)
  await world.until(async () => (await reason('away'))?.code === 'engine_away')
  expect((await reason('away'))?.text).toMatch(/^far: .*127\.0\.0\.1:9/)
  await world.until(async () => (await reason('unnamed'))?.code === 'engine_away')
  expect((await reason('unnamed'))?.text).toContain('config.json names no engine "nowhere"')
  const system = await world.get<SystemView>('/api/system')
  expect(system.engines.map(({ name, slots }) => [name, slots])).toEqual([
    ['local', { total: 3, used: 0 }],
    ['far', { total: 3, used: 0 }],
    ['nowhere', { total: 0, used: 0 }],
  ])
  const { engines, docker } = await world.get<ServerStatus>('/api/status')
  expect(docker.ok).toBe(true)
  expect(engines.map(({ name, ok }) => [name, ok])).toEqual([
    ['far', false],
    ['nowhere', false],
  ])
})

longTest('the memory that its containers get is shown for the engine of a project, and for no other', async () => {
  const note = async (project: string) => (await world.get<ProjectView>(`/api/projects/${project}`)).memoryNote
  expect(await note('near')).toMatch(/^Each container gets .* slots share the .* of the host\./)
  expect(await note('away')).toBeUndefined()
})

longTest('a person moves a project to another engine, and its bead starts there', async () => {
  const path = '/api/projects/unnamed/settings'
  const { revision } = await world.get<{ revision: number }>(path)
  expect((await world.api('PATCH', path, { revision, changes: { engine: 'local' } })).status).toBe(200)
  const { items } = await world.get<Page<BeadCard>>('/api/projects/unnamed/beads')
  const execution = items[0]?.execution ?? ''
  expect(await world.ended(execution)).toMatchObject({ state: 'COMPLETED' })
})
