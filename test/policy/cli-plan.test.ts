// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { author, blog, blogProject } from '../support/blog.ts'
import { planText } from '../support/planned.ts'
import { beadloom } from '../support/command-line.ts'
import { World } from '../support/world.ts'

/* A plan at the terminal: made in an editor, followed, stopped between two phases, continued. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const bl = (...args: string[]) => beadloom([...args, '--data', world.data])

test('a plan is edited, followed phase by phase, stopped between two phases and continued', async () => {
  const slow = author.replace("'Test users and posts') ", "'Test users and posts') sleep 3; ")
  await world.addProject('c', blogProject({ author: slow }), [{ id: 'c-1', title: 'A blog' }])
  const at = '/api/projects/c/beads/c-1/plan'
  await world.api('PUT', at, JSON.parse(planText(blog)))
  const edited = await beadloom(['plan', 'c-1', '--edit', '--data', world.data], {
    env: { EDITOR: `sed -i 's/A blog[.]/Our blog./'` },
  })
  expect(edited).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan of c-1, version 2, by a person.') })
  expect(await world.get<PlanView>(at)).toMatchObject({ version: 2, goal: 'Our blog.' })

  const { id } = await world.queue('c', 'c-1')
  const attached = bl('attach', id)
  await world.until(async () => (await world.execution(id)).progress?.status === 'running')
  expect((await bl('plan', 'c-1', '--pause')).stdout).toContain(`${id} will wait for you after the running phase`)
  await world.until(async () => (await world.execution(id)).waits?.kind === 'phase')
  expect((await bl('plan', 'c-1')).stdout).toContain(`Phase 1 (test): ✓ Test users and posts
  └── ✓ [test] Test users and posts
Phase 2 (impl): ○ Pending - Users, Posts`)
  const continued = await bl('plan', 'c-1', '--continue', '--json')
  expect(JSON.parse(continued.stdout) as ExecutionView).toMatchObject({ id })
  const { code, stdout } = await attached
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Phase 1 \(test\): [○●] .*\n  └── [○●] \[test\] Test users and posts/m)
  expect(stdout).toContain('━━ Phase 1 · 1, agent ━')
  expect(stdout).toMatch(/━━ Phase 2 · review, agent ━/)
  expect(stdout).toMatch(/▪ phase 2 of 3 · \d of 2 subtasks/)
  expect(stdout).toContain('phase 1 is done: waits for you (beadloom plan c-1 --continue)')
  expect(stdout).toMatch(/Phase 3 \(refactor\): ✓ Page\n {2}└── ✓ \[refactor\] Page\n/)
})
