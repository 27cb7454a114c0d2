// @suite policy-long
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'
import type { World } from '../support/world.ts'

/* Knowledge about a base outlives the server, and an unfinished proof begins again. */

const start = worldsOfATest()
const restart = async (first: World): Promise<World> => {
  await first.server.stop()
  return start({ data: first.data, host: first.host })
}

const own = "cat > prompt.txt; id=$(grep -o 'b-[0-9]' prompt.txt | head -n 1); mv prompt.txt prompt-$id.txt\n"
const agent = `${own}echo work > work-$id.txt\n`
const beads = [
  { id: 'b-1', title: 'Write one' },
  { id: 'b-2', title: 'Write two' },
]
const add = (world: World, config: object) =>
  world.addProject('p', shellProject({ agent, config, testsFirst: false }), beads)
const waitsBecause = (world: World, code: string) =>
  world.until(async () => (await world.get<BeadView>('/api/projects/p/beads/b-1')).reason?.code === code)
/** Logs of the proofs: a folder for each that had a container. Without a setup there is an image already. */
const printed = ({ data }: World): string[][] => {
  const folder = join(data, 'proofs')
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((id) =>
    readdirSync(join(folder, id))
      .filter((name) => name.endsWith('.log'))
      .sort(),
  )
}

test('a proved base is not proved again', async () => {
  const first = await start()
  await add(first, { test: 'true' })
  expect((await first.run('p', 'b-1')).state).toBe('COMPLETED')
  expect(printed(first)).toEqual([['2.log']])
  const again = await restart(first)
  expect((await again.get<ProjectView>('/api/projects/p')).base).toMatchObject({ state: 'green' })
  expect((await again.run('p', 'b-2')).state).toBe('COMPLETED')
  expect(printed(again)).toEqual([['2.log']])
  const answer = await fetch(`${again.server.url}/api/projects/p/environment/log?of=checks`, {
    headers: { authorization: `Bearer ${again.server.token}` },
  })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('checkout')])
})

test('a broken base keeps its project stopped, and the restart does not try it again', async () => {
  const first = await start()
  await add(first, { test: 'exit 3' })
  const { id } = await first.queue('p', 'b-1')
  await waitsBecause(first, 'base_broken')
  const again = await restart(first)
  await waitsBecause(again, 'base_broken')
  expect((await again.execution(id)).state).toBe('QUEUED')
  expect(printed(again)).toEqual([['2.log']])
  const log = await fetch(`${again.server.url}/api/projects/p/environment/log?of=checks`, {
    headers: { authorization: `Bearer ${again.server.token}` },
  })
  expect([log.status, await log.text()]).toEqual([200, expect.stringContaining('exit 3')])
})

test('a proof that the server did not finish is begun again, and leaves no container', async () => {
  const first = await start()
  await add(first, { setup: 'sleep 3', test: 'true' })
  const { id } = await first.queue('p', 'b-1')
  await waitsBecause(first, 'base_proving')
  await first.until(() => first.server.store.containers().some(({ engineId }) => engineId !== null))
  const again = await restart(first)
  expect((await again.ended(id)).state).toBe('COMPLETED')
  expect(again.server.store.containers()).toEqual([])
  expect(printed(again)).toEqual([['1.log', '2.log']])
})

test('a project without checks has no container for this besides that of its setup', async () => {
  const world = await start()
  await add(world, { setup: 'true', verify: [] })
  expect((await world.run('p', 'b-1')).state).toBe('COMPLETED')
  expect(printed(world)).toEqual([['1.log']])
  expect((await world.run('p', 'b-2')).state).toBe('COMPLETED')
  expect(printed(world)).toEqual([['1.log']])
})
