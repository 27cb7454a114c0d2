// @suite policy-long
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { runBlog } from '../support/blog.ts'
import { subtask } from '../support/planned.ts'
import { shellProject } from '../support/shell-project.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* A daily limit, which a restart does not forget. */
const folder = mkdtempSync(join(tmpdir(), 'bl-budget-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const start = worldsOfATest()
const fine = { issues: [], summary: 'Fine.', pr_ready: true }

test("a project's daily budget holds back later beads, with the reason, even across a restart", async () => {
  const scenarios = join(folder, 'scenarios')
  mkdirSync(scenarios)
  const turns = [
    { say: 'I look.', calls: [{ tool: 'bash', arguments: { command: 'echo done > done.txt' } }] },
    { say: 'I commit.', calls: [{ tool: 'bash', arguments: { command: 'git add -A; git commit -qm done' } }] },
    { say: 'It is done.' },
  ]
  const scenario = { name: 'small', about: 'A small piece of work.', beads: {}, otherwise: { turns } }
  writeFileSync(join(scenarios, 'small.json'), JSON.stringify(scenario))
  const config = { agent: 'openai', model: 'scripted', scenario: 'small', command: undefined }
  const limits = { maxTokensPerDay: 10 }
  const first = await start({ scenarios })
  await first.addProject('day', shellProject({ agent: '', config: { ...config, limits } }), [
    { id: 'd-1', title: 'First' },
    { id: 'd-2', title: 'Second' },
  ])

  const ended = await first.run('day', 'd-1')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'budget_exhausted' })
  expect(ended.detail).toContain('limits.maxTokensPerDay')
  // Only the call that passed the limit was answered.
  expect(ended.tokens.input + ended.tokens.output).toBeGreaterThan(10)
  expect((await first.events(ended.id)).filter(({ type }) => type === 'tool_call')).toHaveLength(1)

  const second = await first.queue('day', 'd-2')
  const held = async (world: World) => (await world.get<BeadView>('/api/projects/day/beads/d-2')).reason?.code
  await first.until(async () => (await held(first)) === 'budget_exhausted')
  await first.server.stop()

  const again = await start({ data: first.data, host: first.host, scenarios })
  await again.until(async () => (await held(again)) === 'budget_exhausted')
  expect(await again.execution(second.id)).toMatchObject({ state: 'QUEUED', startedAt: null })
  const { tokens } = await again.get<ProjectView>('/api/projects/day')
  expect(tokens).toMatchObject({ perDay: 10, today: ended.tokens })
})

test('a budget that runs out in subtasks names the unfinished ones, and where their work is', async () => {
  const scenarios = join(folder, 'in-subtasks')
  mkdirSync(scenarios, { recursive: true })
  const turns = [{ say: 'I look.', calls: [{ tool: 'bash', arguments: { command: 'echo done > done.txt' } }] }]
  const scenario = { name: 'small', about: 'A small piece of work.', beads: {}, otherwise: { turns } }
  writeFileSync(join(scenarios, 'small.json'), JSON.stringify(scenario))
  const world = await start({ scenarios })
  const { ended } = await runBlog(world, 'parts', 'p-1', {
    plan: [subtask('1a', { type: 'refactor' }), subtask('1b', { type: 'refactor', dependsOn: ['1a'] })],
    config: {
      agent: 'openai',
      model: 'scripted',
      scenario: 'small',
      command: undefined,
      limits: { maxTokensPerBead: 10 },
    },
  })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'budget_exhausted' })
  expect(ended.detail).toMatch(
    /Not done: subtask 1a "Do 1a" \(1 of 2\)\. Its unsaved work is saved on refs\/beadloom\//,
  )
})

test.each([
  ['the review', 'the review of phase 1 of 1', 'true\n'],
  ['the mending', 'mending what the checks of phase 1 of 1 found', 'grep -q mended 1a.txt\n'],
])(
  'a budget that runs out in %s of a phase names it and the saved work, and with more the bead is done',
  async (_, what, check) => {
    const scenarios = join(folder, 'in-steps')
    mkdirSync(scenarios, { recursive: true })
    const bash = (command: string) => [{ tool: 'bash', arguments: { command } }]
    const long = 'word '.repeat(16_000)
    const beads = {
      'p-1:1a': { turns: [{ say: 'I write.', calls: bash('echo done > 1a.txt') }, { say: 'It is done.' }] },
      'p-1:1b': { turns: [{ say: 'I write.', calls: bash('echo done > 1b.txt') }, { say: 'It is done.' }] },
      'fix:p-1': { turns: [{ say: long, calls: bash('echo mended >> 1a.txt') }, { say: 'It is mended.' }] },
      'review:p-1': {
        turns: [{ say: long, calls: bash('git log -1') }, { say: 'I have seen it.' }, { document: fine }],
      },
    }
    writeFileSync(join(scenarios, 'steps.json'), JSON.stringify({ name: 'steps', about: 'Long answers.', beads }))
    const world = await start({ scenarios })
    const { ended } = await runBlog(world, 'steps', 'p-1', {
      plan: [subtask('1a', { type: 'refactor' }), subtask('1b', { type: 'refactor' })],
      files: { 'test.sh': check },
      config: {
        agent: 'openai',
        model: 'scripted',
        scenario: 'steps',
        command: undefined,
        review: {},
        verification: { proveBase: false },
        limits: { maxTokens: 14_000 },
      },
    })
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'budget_exhausted' })
    expect(ended.detail).toContain(`Not done: ${what}. Its unsaved work is saved on refs/beadloom/${ended.id}/session-`)
    const changes = { 'limits.maxTokens': 10_000_000 }
    expect((await world.api('PATCH', '/api/projects/steps/settings', { revision: 0, changes })).status).toBe(200)
    const again = await world.run('steps', 'p-1')
    expect(again).toMatchObject({ state: 'COMPLETED' })
    const { tokens } = await world.get<ProjectView>('/api/projects/steps')
    const calls = [...(await world.events(ended.id)), ...(await world.events(again.id))].filter(
      ({ type }) => type === 'usage',
    )
    const sum = (part: 'input' | 'output') =>
      calls.reduce((all, { data }) => all + (data as Record<typeof part, number>)[part], 0)
    expect(tokens?.today).toMatchObject({ input: sum('input'), output: sum('output') })
  },
)
