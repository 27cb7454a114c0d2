// @suite policy-long
import { renameSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { SyncView } from '@beadloom/core/api/projects/sync-api.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const read = (project: string) => world.get<SyncView>(`/api/projects/${project}/sync`)

test("the state of a project's remote and tracker is shown with their last readings", async () => {
  const agent = `echo more >> README.md\n${commitAndPush('s-1', 'Work')}`
  await world.addProject('stands', shellProject({ agent }), [{ id: 's-1', title: 'Work' }])
  const before = await read('stands')
  expect(before.runs.map(({ cause }) => cause)).toContain('added')
  expect(before.remote).toMatchObject({ baseBranch: 'main', workBranch: 'beadloom/work', ahead: null })

  expect((await world.run('stands', 's-1')).state).toBe('COMPLETED')
  await world.api('POST', '/api/projects/stands/sync')
  const after = await read('stands')
  expect(after.runs[0]).toMatchObject({ cause: 'asked', problem: null })
  expect(after.runs.some(({ cause }) => cause === 'execution')).toBe(true)
  expect(after.remote.ahead).toBeGreaterThan(0)
  expect(after.remote.behind).toBe(0)
  expect(after.pushes).toEqual([])
})

test('a remote that is gone is reported with its error, and earlier readings stay', async () => {
  const { remote } = await world.addProject('left', shellProject({ agent: 'true\n' }), [{ id: 'l-1', title: 'Stay' }])
  renameSync(remote, `${remote}.away`)
  await world.api('POST', '/api/projects/left/sync')
  const view = await read('left')
  expect(view.runs[0]).toMatchObject({ cause: 'asked', warnings: expect.any(Number) })
  expect([...view.warnings, view.problem ?? ''].join()).toContain('continuing with what was fetched before')
  expect(view.remote.baseCommit).toMatch(/^[0-9a-f]{40}$/)
})

test('the count of ready beads is what a press of Run would start, without beads that need a person or are queued already', async () => {
  await world.addProject('counts', shellProject({ agent: 'true\n', config: { autopilot: false } }), [
    { id: 'c-1', title: 'Work' },
    { id: 'c-2', title: 'Ask', labels: ['needs-human'] },
    { id: 'c-3', title: 'Wait' },
  ])
  await world.api('POST', '/api/projects/counts/pause')
  const ready = async () => (await world.get<ProjectView>('/api/projects/counts')).beadCounts.ready
  await world.until(async () => (await ready()) === 2)
  await world.api('POST', '/api/projects/counts/beads/c-3/executions', {})
  await world.until(async () => (await ready()) === 1)
})

test('an unknown project has no status', async () => {
  expect((await world.api('GET', '/api/projects/nobody/sync')).status).toBe(404)
})
