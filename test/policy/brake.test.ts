// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Autopilot stops by itself, and says so, if bead after bead fails in the same way. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process', flags: { slots: '1' } })
})
afterAll(() => world.stop())

const ids = ['b-1', 'b-2', 'b-3', 'b-4', 'b-5']
const beads = ids.map((id, priority) => ({ id, title: `Bead ${id}`, priority: Math.min(priority, 4) }))
const get = (id: string) => world.get<BeadView>(`/api/projects/p/beads/${id}`)
const project = () => world.get<ProjectView>('/api/projects/p')
const ended = async () =>
  (await world.get<Page<ExecutionView>>('/api/executions?project=p&limit=50')).items.filter(
    ({ endedAt }) => endedAt !== null,
  )

test('three beads in a row with the same failure pause autopilot; a person lets it continue', async () => {
  await world.addProject('p', shellProject({ agent: 'cat > /dev/null; exit 9\n', config: { autopilot: true } }), beads)
  await world.until(async () => (await get('b-5')).reason?.code === 'autopilot_paused')
  // One of them may be the follow-up of the first.
  const first = await ended()
  expect(first.map(({ state, failureKind }) => [state, failureKind])).toEqual(Array(3).fill(['FAILED', 'agent_exited']))
  const { brake, autopilot, paused, problem } = await project()
  expect({ autopilot, paused, problem }).toEqual({ autopilot: true, paused: false, problem: null })
  expect(brake?.text).toContain('paused itself: the last 3 beads ended alike (agent exited)')
  expect(brake?.beads?.toSorted()).toEqual(first.map(({ bead }) => bead).toSorted())
  // Runs that a person asks for are not affected.
  const waits = (await get('b-5')).execution
  await world.api('POST', `/api/executions/${waits}/cancel`)
  expect((await world.run('p', 'b-5')).state).toBe('FAILED')
  expect((await get('b-4')).reason?.code).toBe('autopilot_paused')
  await world.api('POST', '/api/projects/p/resume')
  await world.until(async () => (await ended()).filter(({ state }) => state === 'FAILED').length > 4)
})
