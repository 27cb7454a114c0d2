// @suite policy-long
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { author, blog, blogProject } from '../support/blog.ts'
import { planText } from '../support/planned.ts'
import { git } from '../support/repository.ts'
import { World } from '../support/world.ts'

/* Work by a plan on the board. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

test('an execution says on its card how far it is, while it runs and at its end', async () => {
  const slow = author.replace(
    'echo users > users.txt',
    'echo users > users.txt; until git ls-remote --exit-code origin refs/heads/go >/dev/null; do sleep 0.2; done',
  )
  await world.addProject('seen', blogProject({ author: slow }), [{ id: 'se-1', title: 'A blog' }])
  await world.api('PUT', '/api/projects/seen/beads/se-1/plan', JSON.parse(planText(blog)))
  const { id } = await world.queue('seen', 'se-1')
  await world.until(async () => {
    const { progress } = await world.execution(id)
    return progress?.phase === 2 && progress.done === 1
  })
  expect((await world.execution(id)).progress).toEqual({
    phase: 2,
    of: 3,
    status: 'running',
    activity: 'subtasks',
    attempt: 1,
    done: 1,
    subtasks: 2,
  })
  const { baseCommit } = await world.execution(id)
  git(join(world.data, 'hub', 'seen.git'), 'update-ref', 'refs/heads/go', baseCommit ?? '')
  const ended = await world.ended(id)
  expect(ended.progress).toMatchObject({ phase: 3, of: 3, status: 'completed', activity: null })
  expect(ended.inPhases?.map(({ phase, role, subtask: of }) => `${phase} ${of || role}`)).toEqual([
    '1 1',
    '1 check',
    '1 review',
    expect.stringMatching(/^2 2[ab]$/),
    expect.stringMatching(/^2 2[ab]$/),
    '2 check',
    '2 review',
    '3 3',
    '3 check',
    '3 review',
  ])
})
