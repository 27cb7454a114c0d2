// @suite policy-long
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadCard, BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView, FollowUpView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * The traces of an end for the next execution, on real Docker: the filed bead, its text, that it is filed only once,
 * and that its own execution continues where the failed one stopped.
 */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const bead = (id: string, title = 'Write a greeting') => ({ id, title, priority: 1 })
const once = { verification: { maxAttempts: 1 } }
const beadOf = (project: string, id: string) => world.get<BeadView>(`/api/projects/${project}/beads/${id}`)
const beadsOf = async (project: string) =>
  (await world.get<Page<BeadCard>>(`/api/projects/${project}/beads?limit=100`)).items

/** The one bead that an end filed. */
async function followUpOf(ended: ExecutionView): Promise<BeadView & { kind: string }> {
  expect(ended.followUps).toHaveLength(1)
  const { bead: id, kind } = ended.followUps[0] as FollowUpView
  return { ...(await beadOf(ended.project, id)), kind }
}
const sections = (text: string) => text.split('\n').filter((line) => line.startsWith('### '))

describe('failing tests', () => {
  /** The first agent does half of the work; the follow-up's agent sees that half and does the rest. */
  const agent = `cat > /tmp/prompt
if grep -q 'Tests failing: Write a greeting' /tmp/prompt && test -f half.txt; then echo hello > greeting.txt
else echo half >> half.txt; fi
git add -A && git commit -q -m "Work" && git push -q\n`
  const red = 'test -f greeting.txt || { echo "Error: there is no greeting"; exit 1; }\n'

  test('file a bead with digest, step, log and branch, linked both ways, and keep the original in progress', async () => {
    await world.addProject('red', shellProject({ agent, test: red, config: once }), [bead('bl-1')])
    const ended = await world.run('red', 'bl-1')
    const filed = await followUpOf(ended)
    expect(filed).toMatchObject({
      kind: 'tests_failing',
      title: 'Tests failing: Write a greeting',
      status: 'open',
      type: 'bug',
      priority: 1,
      labels: ['beadloom'],
      baseBranch: 'beads-bl-1-write-a-greeting',
      dependencies: [{ id: 'bl-1', type: 'discovered-from', status: 'in_progress', title: 'Write a greeting' }],
    })
    expect(filed.description).toContain('Do it.')
    expect(filed.description).toContain('Error: there is no greeting')
    expect(filed.description).toContain('sh test.sh')
    const verify = ended.sessions.find(({ kind }) => kind === 'verify')
    expect(
      ended.sessions.map((one) => `/p/red/b/bl-1?session=${one.id}`).some((page) => filed.description.includes(page)),
    ).toBe(true)
    expect(verify).toBeDefined()
    const original = await beadOf('red', 'bl-1')
    expect(original.status).toBe('in_progress')
    expect(filed.followUpOf).toBe('bl-1')
    const { beadCounts } = await world.get<ProjectView>('/api/projects/red')
    expect(beadCounts).toMatchObject({ in_progress: 1, open: 0, ready: 0 }) // the follow-up counts with its bead
    expect(original.dependents).toMatchObject([{ id: filed.id, type: 'discovered-from' }])
  })

  test('again are an entry of the same bead, which the tracker does not remove', async () => {
    const [{ id } = { id: '' }] = (await beadsOf('red')).filter(({ labels }) => labels.includes('beadloom'))
    const again = await world.run('red', 'bl-1')
    expect(again.followUps.map((one) => one.bead)).toEqual([id])
    expect((await world.api('POST', '/api/projects/red/sync')).status).toBe(200)
    expect(await beadsOf('red')).toHaveLength(2)
    expect(sections((await beadOf('red', id)).description)).toHaveLength(2)
  })

  test('are mended by the follow-up, which begins with the work of the failed execution', async () => {
    const [first] = (await beadOf('red', 'bl-1')).executions
    const [{ bead: id } = { bead: '' }] = first?.followUps ?? []
    const done = await world.run('red', id)
    expect(done).toMatchObject({ state: 'COMPLETED', followUps: [] })
    const { source } = await world.get<{ source: string }>('/api/projects/red')
    expect(git(source, 'show', 'beadloom/work:greeting.txt')).toBe('hello')
    expect(git(source, 'show', 'beadloom/work:half.txt')).toContain('half')
    expect((await world.execution(String(first?.id))).followUps).toMatchObject([{ bead: id, status: 'done' }])
  })

  test('of a follow-up are recorded on it; autopilot tries each of the two once', async () => {
    const never = shellProject({
      agent: `date +%N > tries.txt\n${commitAndPush('bl-2', 'Try')}`,
      test: 'echo "Error: never"; exit 1\n',
      config: { ...once, autopilot: true },
    })
    await world.addProject('chain', never, [bead('bl-2')])
    const executions = async () =>
      (await world.get<Page<ExecutionView>>('/api/executions?project=chain&limit=20')).items
    await world.until(async () => {
      const all = await executions()
      return all.length === 2 && all.every(({ state }) => state === 'FAILED')
    })
    const [own] = await executions()
    await world.ended(String(own?.id))
    const beads = await beadsOf('chain')
    expect(beads).toHaveLength(2)
    const followUp = await beadOf('chain', String(own?.bead))
    expect(followUp).toMatchObject({ status: 'in_progress', failed: true, labels: ['beadloom', 'failed'] })
    expect(sections(followUp.description)).toHaveLength(2)
    await world.until(async () => (await beadOf('chain', followUp.id)).reason?.code === 'already_tried')
    expect(await executions()).toHaveLength(2)
  })
})

test('an agent that breaks leaves a bead with the sentence and its uncommitted work', async () => {
  await world.addProject('broken', shellProject({ agent: 'echo half > work.txt; exit 3\n' }), [bead('bl-3')])
  const ended = await world.run('broken', 'bl-3')
  const filed = await followUpOf(ended)
  expect(filed).toMatchObject({ kind: 'execution_failed', title: 'Execution failed: Write a greeting' })
  expect(filed.description).toContain(`git fetch origin refs/beadloom/${ended.id}/`)
  expect(filed.description).toContain(`Ended FAILED (${ended.reason}) in attempt 1 of 3`)
  expect(filed.baseBranch).toBe(ended.branch)
})

test('a follow-up whose branch is gone begins at the work branch, and says so', async () => {
  await world.addProject('gone', shellProject({ agent: 'exit 3\n' }), [bead('bl-10')])
  const ended = await world.run('gone', 'bl-10')
  const filed = await followUpOf(ended)
  const hub = join(world.data, 'hub', 'gone.git')
  git(hub, 'update-ref', '-d', `refs/heads/${ended.branch}`)
  const work = git(hub, 'rev-parse', 'beadloom/work') // with the bead's end on top
  const again = await world.run('gone', filed.id)
  expect(again).toMatchObject({ state: 'FAILED', baseCommit: work })
  expect(git(hub, 'diff', '--name-only', ended.baseCommit ?? '', work)).toBe('.beads/issues.jsonl')
  const warnings = (await world.events(again.id)).filter(({ type }) => type === 'warning').map(({ data }) => data)
  expect(warnings).toContainEqual({
    text: expect.stringContaining(`the branch ${ended.branch}, where this bead was to continue`),
  })
})

test('BLOCKED files the reason for a person: nothing runs that bead, and the original can be queued by hand', async () => {
  const files = shellProject({
    agent: 'cat > /dev/null; echo "BLOCKED: the licence key is missing"\n',
    config: { autopilot: true },
  })
  await world.addProject('stuck', files, [bead('bl-4')])
  await world.until(async () => (await beadsOf('stuck')).some(({ reason }) => reason?.code === 'needs_human'))
  const original = await beadOf('stuck', 'bl-4')
  expect(original.status).toBe('blocked')
  const filed = await followUpOf(await world.ended(String(original.execution)))
  expect(filed).toMatchObject({ kind: 'blocked', status: 'open', labels: ['beadloom', 'needs-human'] })
  expect(filed.description).toContain('the licence key is missing')
  const { status } = await world.api('POST', `/api/projects/stuck/beads/${filed.id}/executions`, {})
  expect(status).toBe(409)
  expect(await world.run('stuck', 'bl-4')).toMatchObject({ state: 'BLOCKED', followUps: [{ bead: filed.id }] })
})

test('TIMEOUT files the last output, the attempt and the saved work, for a person', async () => {
  const config = { limits: { executionTimeoutSeconds: 12 } } // enough for a loaded machine to start the agent in
  const agent = 'echo half > work.txt; for n in 1 2 3; do echo "working on part $n"; done; exec sleep 600\n'
  await world.addProject('slow', shellProject({ agent, config }), [bead('bl-5')])
  const ended = await world.run('slow', 'bl-5')
  const filed = await followUpOf(ended)
  expect(filed).toMatchObject({ kind: 'timeout', labels: ['beadloom', 'needs-human'] })
  expect(filed.description).toMatch(/working on part 1\n.*working on part 2\n.*working on part 3\n/)
  expect(filed.description).toMatch(/Ended TIMEOUT \(wall_clock\) in attempt 1 of 3, after \d+ s/)
  expect(filed.description).toContain(`git fetch origin refs/beadloom/${ended.id}/`)
  expect((await beadOf('slow', 'bl-5')).status).toBe('timeout')
})

test('a conflict files the files and both commits, for a person', async () => {
  const agent = `cat > /tmp/prompt
if grep -q 'Bead #bl-6 ' /tmp/prompt; then
  echo started
  until git fetch -q origin && git cat-file -e origin/beadloom/work:shared.txt 2> /dev/null; do sleep 0.2; done
fi
date +%N > shared.txt\n${commitAndPush('bl-6', 'Share')}`
  const { remote } = await world.addProject('conflict', shellProject({ agent }), [bead('bl-6'), bead('bl-7')])
  const { id } = await world.queue('conflict', 'bl-6')
  await world.printed(id, 'started')
  expect((await world.run('conflict', 'bl-7')).state).toBe('COMPLETED')
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'push_conflict' })
  const filed = await followUpOf(ended)
  expect(filed).toMatchObject({ kind: 'merge_conflict', labels: ['beadloom', 'needs-human'] })
  expect(filed.description).toContain('Files in conflict:\n\n```text\nshared.txt\n```')
  const [, ours = ''] = /- Work branch: `(\w+)`/.exec(filed.description) ?? []
  expect(git(remote, 'rev-list', '--first-parent', 'beadloom/work').split('\n')).toContain(ours)
})

test('COMPLETED and CANCELLED file nothing', async () => {
  const agent = `cat > /tmp/prompt; if grep -q '#bl-9 ' /tmp/prompt; then echo started; exec sleep 600; fi
echo hello > greeting.txt\n${commitAndPush('bl-8', 'Write a greeting')}`
  await world.addProject('quiet', shellProject({ agent }), [bead('bl-8'), bead('bl-9')])
  expect(await world.run('quiet', 'bl-8')).toMatchObject({ state: 'COMPLETED', followUps: [] })
  const { id } = await world.queue('quiet', 'bl-9')
  await world.printed(id, 'started')
  await world.api('POST', `/api/executions/${id}/cancel`)
  expect(await world.ended(id)).toMatchObject({ state: 'CANCELLED', followUps: [] })
  expect((await beadsOf('quiet')).map(({ id: one, status }) => [one, status])).toEqual([
    ['bl-8', 'done'],
    ['bl-9', 'open'],
  ])
})
