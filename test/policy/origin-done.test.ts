// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A bead is completed while its follow-up runs, or waits for one of two slots. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process', flags: { slots: '2' } })
})
afterAll(() => world.stop())

const waits = 'echo started; until [ -f /tmp/go ]; do sleep 0.1; done'
const agent = `cat > /tmp/prompt
if grep -q 'Tests failing' /tmp/prompt || grep -q 'take your time' /tmp/prompt; then ${waits}; fi
if grep -q 'all of it' /tmp/prompt; then echo 2 > two.txt; fi
date +%N > one.txt; git add -A && git commit -q -m "Bead od-1: One" && git push -q\n`
const files = shellProject({
  agent,
  test: 'test -f two.txt || { echo "Error: not yet"; exit 1; }\n',
  config: { verification: { maxAttempts: 1 } },
})
const beadOf = (project: string, id: string) => world.get<BeadView>(`/api/projects/${project}/beads/${id}`)
const letGo = async ({ id }: Pick<ExecutionView, 'id'>) => {
  for (const container of await world.containers.of(id)) await world.containers.write(container, '/tmp/go')
}

async function failedOnce(project: string): Promise<string> {
  await world.addProject(project, files, [
    { id: 'od-1', title: 'One' },
    { id: 'od-2', title: 'Two' },
  ])
  const { followUps } = await world.run(project, 'od-1')
  return followUps[0]?.bead ?? ''
}

test('a follow-up that runs when its bead is completed is closed when its own execution ends, whatever its end', async () => {
  const followUp = await failedOnce('running')
  const { description } = await beadOf('running', followUp)
  const own = await world.queue('running', followUp)
  await world.printed(own.id, 'started')
  expect(await world.run('running', 'od-1', { context: 'all of it' })).toMatchObject({ state: 'COMPLETED' })
  expect(await beadOf('running', followUp)).toMatchObject({ status: 'in_progress' })
  await letGo(own)
  expect(await world.ended(own.id)).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
  expect(await beadOf('running', followUp)).toMatchObject({ status: 'done', description })
})

test('a follow-up that is only queued is closed at once, and its execution ends before it starts', async () => {
  const followUp = await failedOnce('queued')
  const other = await world.queue('queued', 'od-2', { context: 'take your time' })
  const origin = await world.queue('queued', 'od-1', { context: 'all of it, and take your time' })
  for (const { id } of [other, origin]) await world.printed(id, 'started')
  const own = await world.queue('queued', followUp)
  await letGo(origin)
  expect(await world.ended(origin.id)).toMatchObject({ state: 'COMPLETED' })
  expect(await world.ended(own.id)).toMatchObject({
    state: 'CANCELLED',
    startedAt: null,
    detail: 'od-1 was completed before it started, so there is nothing left to do.',
  })
  expect(await beadOf('queued', followUp)).toMatchObject({ status: 'done' })
  await letGo(other)
  await world.ended(other.id)
})
