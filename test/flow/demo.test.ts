// @suite flow-long
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { git } from '../support/repository.ts'
import { reviewed } from '../support/reviewer.ts'
import { World } from '../support/world.ts'

/* `npm start` on an empty data folder: the demo project, its seven beads, its own remote. */
let world: World
beforeAll(async () => {
  world = await World.start({ flags: { demo: true } })
})
afterAll(() => world.stop())

test('the demo ends by itself with six beads COMPLETED and one BLOCKED, and its remote has the work', async () => {
  const executions = async () => (await world.get<Page<ExecutionView>>('/api/executions?project=demo&limit=50')).items
  await world.until(async () => {
    const all = await executions()
    return all.length === 8 && all.every(({ state }) => isTerminal(state))
  })
  const all = await Promise.all((await executions()).map(({ id }) => world.ended(id)))
  expect(all.filter(({ kind }) => kind === 'plan')).toMatchObject([{ bead: 'demo-m6rv', state: 'COMPLETED' }])
  const ended = all.filter(({ kind }) => kind === 'work')
  expect(ended.map(({ state }) => state).sort()).toEqual([
    'BLOCKED',
    'COMPLETED',
    'COMPLETED',
    'COMPLETED',
    'COMPLETED',
    'COMPLETED',
    'COMPLETED',
  ])
  expect(ended.filter(({ attempt }) => attempt === 2)).toMatchObject([{ bead: 'demo-e08t' }])
  expect(ended.find(({ state }) => state === 'BLOCKED')?.blockedReason).toMatch(/npm/)

  const remote = join(world.data, 'demo', 'remote.git')
  const branches = git(remote, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
  for (const { state, branch } of ended) if (state === 'COMPLETED') expect(branches).toContain(branch)
  for (const { state, commit } of ended) {
    if (state === 'COMPLETED')
      expect(git(remote, 'branch', '--contains', String(commit), '--format=%(refname:short)')).toContain(
        'beadloom/work',
      )
  }
})

test('the blocked bead gets a follow-up that says what its agent needs, and waits for a person', async () => {
  const { items } = await world.get<Page<BeadCard>>('/api/projects/demo/beads?limit=100')
  expect(items).toHaveLength(8)
  const filed = items.filter(({ labels }) => labels.includes('needs-human'))
  expect(filed).toMatchObject([{ status: 'open', title: expect.stringMatching(/^Blocked: /) }])
  const { description } = await world.get<{ description: string }>(`/api/projects/demo/beads/${filed[0]?.id}`)
  expect(description).toContain('npm')
  await world.until(
    async () => (await world.get<BeadCard>(`/api/projects/demo/beads/${filed[0]?.id}`)).reason?.code === 'needs_human',
  )
})

test('the feature is planned and done in three phases, one of which is rejected once', async () => {
  const all = (await world.get<Page<ExecutionView>>('/api/executions?project=demo&limit=50')).items
  const work = all.find(({ bead, kind }) => bead === 'demo-m6rv' && kind === 'work')
  const phases = await world.get<{ items: PhaseView[] }>(`/api/executions/${work?.id}/phases`)
  expect(phases.items.map(({ status, attempt }) => [status, attempt])).toEqual([
    ['completed', 1],
    ['completed', 2],
    ['completed', 1],
  ])
  const remote = join(world.data, 'demo', 'remote.git')
  expect(git(remote, 'log', '--format=%s', `${work?.baseCommit}..${work?.branch}`).split('\n')).toEqual([
    'Phase 3: Export and describe both',
    'Phase 2: Draw bars, Draw trends',
    'Phase 1: Test bars, Test trends',
  ])
})

test('the bead that waits for two others starts after both are done', async () => {
  const executions = (await world.get<Page<ExecutionView>>('/api/executions?project=demo&limit=50')).items
  const { items: beads } = await world.get<Page<BeadCard>>('/api/projects/demo/beads?limit=100')
  const waiting = await Promise.all(
    beads.map(({ id }) =>
      world.get<{ id: string; dependencies: { id: string; type: string }[] }>(`/api/projects/demo/beads/${id}`),
    ),
  )
  const last = waiting.find(({ dependencies }) => dependencies.filter(({ type }) => type === 'blocks').length === 2)
  const of = (bead: string | undefined) => executions.find((one) => one.bead === bead)
  for (const { id } of last?.dependencies ?? [])
    expect(of(last?.id)?.startedAt).toBeGreaterThanOrEqual(Number(of(id)?.endedAt))
  expect(last?.dependencies).toHaveLength(2)
})

test('the scripted model says everywhere that it is scripted', async () => {
  const project = await world.get<ProjectView>('/api/projects/demo')
  expect(project.modelNote).toContain('recorded run, no AI')
  const [execution] = (await world.get<Page<ExecutionView>>('/api/executions?project=demo&limit=1')).items
  expect(execution?.modelNote).toContain('recorded run, no AI')
})

test('the gateway counts tokens for each session', async () => {
  const executions = (await world.get<Page<ExecutionView>>('/api/executions?project=demo&limit=50')).items
  const withModel = executions.filter(({ tokens }) => tokens.input > 0 && tokens.output > 0)
  // One bead has a plan too, and a command instead of a model does the work of one.
  expect(executions).toHaveLength(8)
  expect(withModel).toHaveLength(7)
})

test('reviews work out of the box: one finds an issue, the work branch is ready for a pull request', async () => {
  const bead = await reviewed(world, 'demo', { bead: 'demo-2c9d' })
  expect(bead.view).toMatchObject({ verdict: 'not_ready', model: 'scripted' })
  expect(bead.view.issues.map(({ severity, outside_diff, filed }) => [severity, outside_diff, filed])).toEqual([
    ['medium', false, 'new'],
    ['low', false, 'new'],
  ])
  const whole = await reviewed(world, 'demo')
  expect(whole.view).toMatchObject({ verdict: 'ready', reasons: [] })
  expect(whole.view.issues.map(({ severity, outside_diff }) => [severity, outside_diff])).toEqual([['low', false]])

  // Autopilot takes the new beads and fixes the issues.
  for (const issue of [...bead.view.issues, ...whole.view.issues]) {
    const path = `/api/projects/demo/beads/${issue.bead}`
    await world.until(async () => (await world.get<BeadCard>(path)).status === 'done')
  }
  await world.until(async () => (await world.get<ServerStatus>('/api/status')).running.length === 0)
})

test('nothing of the demo is left in Docker', async () => {
  const { execFileSync } = await import('node:child_process')
  const left = execFileSync(
    'docker',
    ['ps', '-aq', '--filter', `label=beadloom.instance=${world.server.store.instance}`],
    { encoding: 'utf8' },
  )
  expect(left.trim()).toBe('')
})
