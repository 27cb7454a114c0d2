import { afterAll, expect, test } from 'vitest'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import { pointsOfPhases } from '../crash/crash-at.ts'
import { isLong } from '../crash/size.ts'
import { Victim } from '../crash/victim.ts'
import { blog, blogProject } from '../support/blog.ts'
import { planText } from '../support/planned.ts'
import { git } from '../support/repository.ts'

/*
 * Work by a plan continues after a kill of its server at any step: at each boundary of a phase, and in the sessions of
 * subtasks, checks and reviews. The end is the same, and no work begins again.
 */
const victims: Victim[] = []
afterAll(async () => {
  for (const victim of victims) await victim.remove()
})

/** Points in the order in which an execution of three phases passes them; `:n` counts within one life of the server. */
const quick = [
  ...pointsOfPhases.slice(0, 2),
  'after-start', // the subtask of the first phase
  'before-tree-stored',
  'after-verification',
  'after-session-end', // its review
  'before-phase-stored',
  'after-phase-approved',
  'after-wait-stored',
  'after-start:2', // both subtasks of the second phase are at work
  'after-start', // one of the next sessions
  'before-phase-stored',
  'after-wait-stored',
  'after-session-end',
  'after-phase-approved',
  'after-candidate',
]
const everything = [
  ...quick.slice(0, 9),
  'after-create',
  'before-start',
  'after-start:2',
  'after-session-end',
  'after-session-end',
  'before-tree-stored',
  'after-create',
  'after-start',
  'after-verification',
  'after-create',
  'after-start',
  ...quick.slice(11), // the started review ends, and with it the second phase
]

test('a server that is killed at each boundary of phases, and in each kind of their sessions, comes to the same end', async () => {
  const victim = await Victim.start()
  victims.push(victim)
  const config = { planning: { command: 'false', checkpoint: 'phase' } }
  await victim.addProject('p', { files: blogProject({ config }), beads: [{ id: 'p-1', title: 'A blog' }] })
  await victim.api('PUT', '/api/projects/p/beads/p-1/plan', JSON.parse(planText(blog)))
  await victim.stop()

  let id: string | null = null
  const passed: string[] = []
  let early = ''
  for (const point of isLong ? everything : quick) {
    // Without containers that wait: those pass the same points, in any order.
    await victim.again({ CRASH_AT: point, BEADLOOM_WARM: '0' })
    id ??= await victim.queue('p', 'p-1', {})
    const over = goOn(victim, id).catch(() => 'killed')
    if ((await Promise.race([victim.gone.then(() => 'killed'), over])) !== 'killed') {
      const { state, detail } = await victim.execution(id)
      early = `it was not killed ${point}, and ended as ${state}: ${detail}`
      break
    }
    await victim.crashed()
    passed.push(point)
  }
  expect(passed, early).toEqual(isLong ? everything : quick)
  await victim.again()
  await goOn(victim, id!)
  const ended = await victim.execution(id!)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(git(victim.remoteOf('p'), 'log', '--format=%s', `${ended.baseCommit}..${ended.branch}`).split('\n')).toEqual([
    'Phase 3: Page',
    'Phase 2: Users, Posts',
    'Phase 1: Test users and posts',
  ])
  expect(git(victim.remoteOf('p'), 'show', 'beadloom/work:page.txt')).toBe('users\nposts')
  const { items } = await victim.api<{ items: PhaseView[] }>('GET', `/api/executions/${id}/phases`)
  expect(items.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual(Array(3).fill('1 completed'))
  const told = (await victim.ended(id!)).flatMap(({ type }) =>
    /^phase_(?:started|completed)$/.test(type) ? [type] : [],
  )
  expect(told).toEqual(Array(3).fill(['phase_started', 'phase_completed']).flat())
  console.info(`work by a plan: ${victim.kills} kills, the same end`)
})

/** Lets the execution continue after each phase, as a person does, to its end. */
async function goOn(victim: Victim, id: string): Promise<void> {
  for (;;) {
    await victim.until(id, ({ endedAt, waits }) => endedAt !== null || (waits?.kind === 'phase' && !waits.continued))
    const { endedAt } = await victim.execution(id)
    if (endedAt !== null) return void (await victim.ended(id))
    await victim.api('POST', `/api/executions/${id}/resume`, {})
  }
}
