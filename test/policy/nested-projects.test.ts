// @suite policy-long
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { World } from '../support/world.ts'

/* A repository with projects in folders and nothing in its root: a project is checked if a change touches it. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const manifest = (...lines: string[]) => JSON.stringify({ scripts: { test: lines.join(' && ') } })
const beads = [
  { id: 'n-1', title: 'Change api/one' },
  { id: 'n-2', title: 'Change web/two' },
  { id: 'n-3', title: 'Change shared/three' },
  { id: 'n-4', title: 'Break web/broken' },
]
/** Changes the file that its bead names. */
const AGENT = `path=$(grep -o '[a-z]*/[a-z]*' | grep -m 1 -E '^(api|web|shared)/'); mkdir -p "$(dirname "$path")"; echo x > "$path"; git add -A; git commit -q -m Change; git push -q`

const namesOf = async (id: string): Promise<string[]> => [
  ...new Set((await world.execution(id)).verifications.map(({ name }) => name)),
]

test('the checks of a folder run for changes in it, and all of them on the base', async () => {
  await world.addProject(
    'nested',
    {
      'beadloom.json': JSON.stringify({ agent: 'command', command: AGENT, verification: { maxAttempts: 1 } }),
      'api/package.json': manifest('test "$(basename "$PWD")" = api'),
      'web/package.json': manifest('test "$(basename "$PWD")" = web', 'test ! -e broken'),
    },
    beads,
  )
  const view = () => world.get<EnvironmentView>('/api/projects/nested/environment')
  const api = await world.run('nested', 'n-1')
  expect(api, api.detail ?? '').toMatchObject({ state: 'COMPLETED' })
  expect(await namesOf(api.id)).toEqual(['test api'])
  const first = await view()
  expect(first.proof?.checks.map(({ name, passed }) => [name, passed])).toEqual([
    ['test api', true],
    ['test web', true],
  ])

  const web = await world.run('nested', 'n-2')
  expect(web).toMatchObject({ state: 'COMPLETED' })
  expect(await namesOf(web.id)).toEqual(['test web'])
  // A check that did not run for the first bead keeps its result, so the second one's base needed no run.
  const { proof } = await view()
  expect(proof?.commit).not.toBe(first.proof?.commit)
  expect(proof?.checks[1]).toEqual(first.proof?.checks[1])

  const shared = await world.run('nested', 'n-3')
  expect(shared).toMatchObject({ state: 'COMPLETED' })
  expect(await namesOf(shared.id)).toEqual(['test api', 'test web'])

  const broken = await world.run('nested', 'n-4')
  expect(broken).toMatchObject({ state: 'FAILED' })
  expect(await namesOf(broken.id)).toEqual(['test web'])
})
