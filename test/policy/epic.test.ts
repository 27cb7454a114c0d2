// @suite policy-long
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { git } from '../support/repository.ts'
import { blogProject } from '../support/blog.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* An epic whose children are beads is already a plan. */
const start = worldsOfATest()

const child = (number: number, ...after: number[]) => ({
  id: `ep-${number}`,
  title: `Part ${number}`,
  dependencies: [
    { issue_id: `ep-${number}`, depends_on_id: 'ep-0', type: 'parent-child' },
    ...after.map((one) => ({ issue_id: `ep-${number}`, depends_on_id: `ep-${one}`, type: 'blocks' })),
  ],
})
/** Four levels of three. */
const beads = [
  { id: 'ep-0', title: 'A shop', issue_type: 'epic' },
  ...[1, 2, 3].map((one) => child(one)),
  ...[4, 5, 6].map((one) => child(one, one - 3)),
  ...[7, 8, 9].map((one) => child(one, one - 3, 4)),
  ...[10, 11, 12].map((one) => child(one, one - 3)),
]
const author = `cat > /tmp/prompt; part=$(sed -n 's/^\\*\\*Subtask:\\*\\* Part //p' /tmp/prompt); echo done > "part-$part.txt"\n`

test('an epic of twelve children in four levels is done phase by phase; children that a person closes are left out, and changed ones stay open', async () => {
  const world = await start()
  const files = blogProject({ author, config: { test: 'true', planning: { when: 'auto' } } })
  const { remote } = await world.addProject('e', files, beads)
  const bead = (id: string) => world.get<BeadView>(`/api/projects/e/beads/${id}`)
  const { id, planVersion } = await world.queue('e', 'ep-0')
  expect(planVersion).toBe(1)
  const plan = await world.get<PlanView>('/api/projects/e/beads/ep-0/plan')
  expect(plan).toMatchObject({ source: 'tracker', phased: true })
  expect(plan.phases).toEqual([
    ['ep-1', 'ep-2', 'ep-3'],
    ['ep-4', 'ep-5', 'ep-6'],
    ['ep-7', 'ep-8', 'ep-9'],
    ['ep-10', 'ep-11', 'ep-12'],
  ])
  expect((await world.api('POST', `/api/executions/${id}/pause`, { at: 'phase' })).status).toBe(202)
  await world.until(async () => (await bead('ep-8')).reason?.code === 'in_plan')
  expect((await bead('ep-8')).reason?.text).toBe('part of the running plan of ep-0')
  expect(await world.api('POST', '/api/projects/e/beads/ep-8/executions', {})).toMatchObject({
    status: 409,
    body: { error: { code: 'in_plan' } },
  })

  await world.until(async () => waitOfKind((await world.execution(id)).waits, 'phase')?.after === 1)
  expect([(await bead('ep-1')).status, (await bead('ep-4')).status]).toEqual(['done', 'open'])
  await world.api('PATCH', '/api/projects/e/beads/ep-1', { status: 'open' })
  const change = { description: { was: 'Do it.', to: 'Another part.' } }
  expect(await world.api('PATCH', '/api/projects/e/beads/ep-6', change)).toMatchObject({ status: 200 })
  const closed = ['ep-5', 'ep-8', 'ep-12']
  for (const one of closed)
    expect(await world.api('PATCH', `/api/projects/e/beads/${one}`, { status: 'done' })).toMatchObject({ status: 200 })
  expect(await world.api<ExecutionView>('POST', `/api/executions/${id}/resume`)).toMatchObject({ status: 202 })
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  const warnings = (await world.events(id)).flatMap(({ type, data }) =>
    type === 'warning' ? [(data as { text: string }).text] : [],
  )
  expect(warnings.filter((text) => text.startsWith('ep-1 was reopened after its phase was done'))).toHaveLength(1)
  expect(warnings.filter((text) => text.startsWith('the description of ep-6 changed after the plan'))).toHaveLength(1)
  for (const one of ['ep-1', 'ep-6']) {
    expect((await bead(one)).status).toBe('open')
    await world.api('PATCH', `/api/projects/e/beads/${one}`, { status: 'done' })
  }

  expect(git(remote, 'log', '-4', '--format=%s', ended.branch).split('\n')).toEqual([
    'Phase 4: Part 10, Part 11',
    'Phase 3: Part 7, Part 9',
    'Phase 2: Part 4, Part 6',
    'Phase 1: Part 1, Part 2, Part 3',
  ])
  const made = git(remote, 'ls-tree', '--name-only', 'beadloom/work').split('\n')
  expect(made.filter((name) => name.startsWith('part-'))).toHaveLength(9)
  for (const one of beads) expect([one.id, (await bead(one.id)).status]).toEqual([one.id, 'done'])
  const { items } = await world.get<{ items: PhaseView[] }>(`/api/executions/${id}/phases`)
  expect(items.flatMap(({ subtasks }) => subtasks.flatMap((one) => (one.session === null ? [one.id] : [])))).toEqual(
    closed,
  )
  // No child ran by itself.
  const { items: all } = await world.get<{ items: ExecutionView[] }>('/api/executions?project=e')
  expect(all.map((one) => one.bead)).toEqual(['ep-0'])
  await world.until(async () => {
    const tracked = git(remote, 'show', 'beadloom/work:.beads/issues.jsonl').split('\n')
    return tracked.every((line) => (JSON.parse(line) as { status: string }).status === 'closed')
  })
})
