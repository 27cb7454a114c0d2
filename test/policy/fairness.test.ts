// @suite policy-long
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Projects share slots: who starts next, when a limit applies, and what a bead that waits for it says. */

let world: World
const ids = (count: number) => Array.from({ length: count }, (_, at) => `s-${at + 1}`)

beforeAll(async () => {
  world = await World.start({ engine: 'process', flags: { slots: '2' } })
  const agent = `echo done > "$(date +%N).md"\n${commitAndPush('s-1', 'Note')}`
  const add = (id: string, count: number, config: object) =>
    world.addProject(
      id,
      shellProject({ agent, config }),
      ids(count).map((bead) => ({ id: bead, title: 'Note' })),
    )
  await add('big', 4, {})
  await add('tiny', 1, {})
  await add('narrow', 2, { slots: { limit: 1 } })
})
afterAll(() => world.stop())

const executions = (project: string) => world.server.store.executions({ project: parseProjectId(project), limit: 50 })
const cards = async (project: string) => (await world.get<Page<BeadCard>>(`/api/projects/${project}/beads`)).items

test("a project's only bead is not behind four beads of another that were queued before it", async () => {
  for (const bead of ids(4)) await world.queue('big', bead)
  await world.queue('tiny', 's-1')
  await world.until(() => executions('big').every(({ endedAt }) => endedAt !== null))
  const [tiny] = executions('tiny')
  const before = executions('big').filter(({ startedAt }) => (startedAt ?? 0) < (tiny?.startedAt ?? 0))
  // Two had started before it was queued, and one more may start in a round meanwhile.
  expect(before.length).toBeLessThan(4)
})

test("a project's limit holds while slots are free, and beads that wait for it say so", async () => {
  for (const bead of ids(2)) await world.queue('narrow', bead)
  const seen = new Set<string>()
  await world.until(async () => {
    for (const { reason } of await cards('narrow')) if (reason?.code === 'project_limit') seen.add(reason.text)
    return executions('narrow').every(({ endedAt }) => endedAt !== null)
  })
  expect([...seen]).toEqual(["its project's limit of 1 at once is reached"])
  const inTurn = executions('narrow').toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
  for (const [at, { startedAt }] of inTurn.entries())
    if (at > 0) expect(startedAt).toBeGreaterThanOrEqual(inTurn[at - 1]!.endedAt!)
})
