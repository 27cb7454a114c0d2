// @suite policy-long
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { git } from '../support/repository.ts'
import { plannedProject, planText, print, subtask } from '../support/planned.ts'
import { commitAndPush } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* From the request to the plan and the work that follows it; architect and author are shell scripts. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const author = (id: string) => `cat > /dev/null; echo hello > greeting.txt\n${commitAndPush(id, 'Greet')}`
const planOf = (project: string, bead: string) => world.get<PlanView>(`/api/projects/${project}/beads/${bead}/plan`)
const executionsOf = async (project: string) =>
  (await world.get<{ items: ExecutionView[] }>(`/api/executions?project=${project}`)).items.toReversed()
const single = planText([subtask('1', { type: 'impl' })])

/** Queues the bead, and waits for the planning and the work that follows it. */
async function planned(project: string, bead: string, body: object = {}): Promise<ExecutionView[]> {
  const { id, kind } = await world.queue(project, bead, body)
  expect(kind).toBe('plan')
  await world.ended(id)
  await world.until(async () => (await executionsOf(project)).every(({ state }) => isTerminal(state)))
  return Promise.all((await executionsOf(project)).map((one) => world.ended(one.id)))
}

describe('a bead that is planned first', () => {
  test('is planned on the pinned commit of the work branch, by an agent that can push nothing; the work follows by itself', async () => {
    const architect = `cat > /tmp/prompt; cat /tmp/prompt >&2; git log -1 --format=%H >&2
git push -q origin HEAD:refs/heads/beads-al-1-greet HEAD:refs/heads/main 1>&2 && echo PUSHED >&2
cat <<'END'
${single}
END
`
    const files = plannedProject({ agent: author('al-1'), architect, planning: { when: 'always' } })
    const { remote } = await world.addProject('alone', files, [
      { id: 'al-1', title: 'Greet', description: 'Say hello.' },
    ])
    const [planning, work] = await planned('alone', 'al-1', { context: 'in English' })
    expect(planning).toMatchObject({ kind: 'plan', state: 'COMPLETED', branch: 'beadloom/work' })
    expect(planning?.detail).toBe('Plan, version 1: one session does all of it.')
    expect(work).toMatchObject({ kind: 'work', state: 'COMPLETED', context: 'in English' })
    expect(await planOf('alone', 'al-1')).toMatchObject({
      version: 1,
      source: 'architect',
      execution: planning?.id,
      commit: planning?.baseCommit,
      phased: false,
    })
    const log = await world.log((await world.execution(planning!.id)).sessions[0]!.id)
    expect(log).toContain('Say hello.')
    expect(log).toContain('in English')
    expect(log).toContain(planning!.baseCommit)
    expect(log).not.toContain('PUSHED')
    expect(git(remote, 'show', 'beadloom/work:greeting.txt')).toBe('hello')
    expect((await world.get<BeadView>('/api/projects/alone/beads/al-1')).status).toBe('done')
  })

  test('gets a fresh agent with all problems once, and then the planning fails with all of them', async () => {
    const bad = planText([subtask('a', { filesTouched: [] }), subtask('b', { type: 'impl' })])
    const architect = `cat > /tmp/prompt
if grep -q 'An earlier plan could not be used' /tmp/prompt; then cat /tmp/prompt >&2; fi
cat <<'END'
${bad}
END
`
    const files = plannedProject({ agent: author('ba-1'), architect, planning: { when: 'always' } })
    await world.addProject('bad', files, [{ id: 'ba-1', title: 'Greet' }])
    const [planning, ...others] = await planned('bad', 'ba-1')
    expect(others).toEqual([])
    expect(planning).toMatchObject({ state: 'FAILED', reason: 'plan_invalid' })
    const said = [
      "Subtask 'a' touches no files",
      "Impl subtask 'b' has no test dependency. TDD requires tests before implementation.",
    ]
    const { sessions } = await world.execution(planning!.id)
    expect(sessions.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(sessions[0]?.container).not.toBe(sessions[1]?.container)
    const second = await world.log(sessions[1]!.id)
    for (const one of said) {
      expect(planning?.detail).toContain(one)
      expect(second).toContain(one)
    }
    expect(planning?.detail).toContain('plan it again: beadloom run ba-1 --planning always')
    expect((await world.get<BeadView>('/api/projects/bad/beads/ba-1')).status).toBe('open')
  })

  test('shows its planning on its card while that lives, and its work from then on', async () => {
    const architect = `until git ls-remote --exit-code origin refs/heads/go >/dev/null; do sleep 0.2; done\n${print(single)}`
    const files = plannedProject({ agent: author('ca-1'), architect, planning: { when: 'always' } })
    await world.addProject('carded', files, [{ id: 'ca-1', title: 'Greet' }])
    const { id } = await world.queue('carded', 'ca-1')
    expect((await world.get<BeadView>('/api/projects/carded/beads/ca-1')).execution).toBe(id)
    await world.until(async () => (await world.execution(id)).baseCommit !== null)
    const { baseCommit } = await world.execution(id)
    git(join(world.data, 'hub', 'carded.git'), 'update-ref', 'refs/heads/go', baseCommit ?? '')
    await world.ended(id)
    await world.until(async () => (await world.get<BeadView>('/api/projects/carded/beads/ca-1')).status === 'done')
    const [, work] = await executionsOf('carded')
    expect((await world.get<BeadView>('/api/projects/carded/beads/ca-1')).execution).toBe(work?.id)
  })

  test.each([
    ['prose', 'I would begin with the tests.', 'not one JSON document'],
    ['half', '{"goal": "A blog.", "subtasks": [', 'not one JSON document'],
  ])('fails if its architect answers %s', async (name, text, said) => {
    const files = plannedProject({ agent: author('pr-1'), architect: print(text), planning: { when: 'always' } })
    await world.addProject(name, files, [{ id: 'pr-1', title: 'Greet' }])
    const [planning] = await planned(name, 'pr-1')
    expect(planning).toMatchObject({ state: 'FAILED', reason: 'plan_invalid', detail: expect.stringContaining(said) })
  })

  test('is planned only if it is large, if the project says "auto"; a person can say otherwise', async () => {
    const files = plannedProject({ agent: author('au-1'), architect: print(single), planning: { when: 'auto' } })
    await world.addProject('auto', files, [
      { id: 'au-1', title: 'Greet' },
      { id: 'au-2', title: 'Greet twice', issue_type: 'feature' },
    ])
    expect((await world.run('auto', 'au-1')).kind).toBe('work')
    expect((await world.run('auto', 'au-2', { planning: { when: 'never' } })).kind).toBe('work')
    const { id, kind } = await world.queue('auto', 'au-2')
    expect(kind).toBe('plan')
    await world.ended(id)
  })
})

describe('a plan that a person approves first', () => {
  test('holds nothing, can be changed, and is followed by the work once it is approved', async () => {
    const two = [subtask('1a'), subtask('2a', { type: 'impl', dependsOn: ['1a'] })]
    const files = plannedProject({
      agent: author('ap-1'),
      architect: print(planText(two)),
      planning: { when: 'always', approve: 'ask' },
    })
    await world.addProject('approved', files, [{ id: 'ap-1', title: 'Greet' }])
    const at = '/api/projects/approved/beads/ap-1'
    const [planning, ...others] = await planned('approved', 'ap-1')
    expect(planning).toMatchObject({ state: 'COMPLETED', detail: 'Plan, version 1: 2 subtasks in 2 phases.' })
    expect(others).toEqual([])
    expect(await world.containers.of(planning!.id)).toEqual([])
    await world.until(async () => (await world.get<BeadView>(at)).reason?.code === 'plan_waits')
    expect(await world.api('POST', `${at}/executions`, {})).toMatchObject({
      status: 409,
      body: { error: { code: 'plan_waits', message: expect.stringContaining('beadloom plan ap-1 --approve') } },
    })
    // The person judges it simple.
    const changed = await world.api<PlanView>('PUT', `${at}/plan?onto=1`, JSON.parse(planText([])))
    expect(changed.body).toMatchObject({ version: 2, source: 'person' })
    expect(await world.api('POST', `${at}/plan/approve`, { version: 1 })).toMatchObject({ status: 409 })
    expect(await world.api('POST', `${at}/plan/approve`, { version: 2 })).toMatchObject({ status: 200 })
    expect(await world.api('POST', `${at}/plan/approve`, {})).toMatchObject({ status: 200 }) // a second approval changes nothing
    await world.until(async () => {
      const all = await executionsOf('approved')
      return all.length === 2 && all.every(({ state }) => isTerminal(state))
    })
    expect((await executionsOf('approved')).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'plan COMPLETED',
      'work COMPLETED',
    ])
  })
})
