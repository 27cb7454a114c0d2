// @suite policy-long
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import type { NamedAgentsView } from '@beadloom/core/api/server/agents-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* The built-in agent asks other agents that the base branch names: from the HTTP request to the merged work. */
const folder = mkdtempSync(join(tmpdir(), 'bl-agents-'))
afterEach(() => rmSync(join(folder, 'scenarios'), { recursive: true, force: true }))
beforeEach(() => mkdirSync(join(folder, 'scenarios')))
const start = worldsOfATest()

type Script = { turns: object[] }
const spawn = (agent: string, task: string, more: object = {}) => ({
  tool: 'spawn_subagent',
  arguments: { agent, task, ...more },
})
const bash = (command: string) => ({ tool: 'bash', arguments: { command } })
const commit = { say: 'I commit.', calls: [bash('git add -A; git commit -qm work')] }
const done = { say: 'It is done.' }

async function worldWith(beads: Record<string, Script>, files: Record<string, string> = {}, config: object = {}) {
  const scenarios = join(folder, 'scenarios')
  writeFileSync(join(scenarios, 'team.json'), JSON.stringify({ name: 'team', about: 'A team.', beads }))
  const world = await start({ scenarios, config })
  const settings = { agent: 'openai', model: 'scripted', scenario: 'team', command: undefined }
  const project = shellProject({ agent: '', config: settings, test: 'test -e work.txt' })
  await world.addProject('team', { ...project, ...files }, [{ id: 't-1', title: 'Work together' }])
  return world
}

const results = (events: readonly { type: string; data: unknown }[]) =>
  events.flatMap(({ type, data }) => {
    const { tool, text } = data as { tool?: string; text?: string }
    if (type !== 'tool_result' || tool !== 'spawn_subagent') return []
    return [text?.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : text]
  })

test('a step of the work spawns a reviewer, and its summary comes back', async () => {
  const world = await worldWith({
    't-1': {
      turns: [
        { say: 'I write.', calls: [bash('echo work > work.txt')] },
        { say: 'I have it reviewed.', calls: [spawn('code-review-agent', 'Review.', { context: 'work.txt: work' })] },
        commit,
        done,
      ],
    },
    'code-review-agent:t-1': {
      turns: [
        { say: 'I read.', calls: [{ tool: 'read_file', arguments: { path: 'work.txt' } }] },
        { say: 'No issues.' },
      ],
    },
  })
  const ended = await world.run('team', 't-1')
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  const events = await world.events(ended.id)
  expect(results(events)).toEqual([
    {
      success: true,
      status: 'completed',
      summary: 'No issues.',
      stepsUsed: 2,
      tokensUsed: expect.any(Number),
      error: null,
    },
  ])
  // The gateway counts the use of all of them, the sub-agent included.
  const last = events.findLast(({ type }) => type === 'usage')?.data as { cumulativeTokens: number }
  expect(ended.tokens.input + ended.tokens.output).toBe(last.cumulativeTokens)
  const { by } = await world.get<BudgetView>('/api/projects/team/budget')
  expect(by.agent.items.map(({ name, use: { calls, costMicros } }) => [name, calls, costMicros])).toEqual([
    ['openai', 4, null],
    ['openai/code-review-agent', 2, null],
  ])
  const session = ended.sessions.find(({ kind }) => kind === 'work')?.id ?? ''
  expect(await world.log(session)).toMatch(/^⑂ code-review-agent#1 › No issues\.$/m)
})

test('failing, unknown and same-folder sub-agents are told apart, and the work continues', async () => {
  const world = await worldWith({
    't-1': {
      turns: [
        {
          say: 'I ask three.',
          calls: [spawn('docs-agent', 'Fail.'), spawn('nobody', 'x'), spawn('coding-agent', 'Work.')],
        },
        commit,
        done,
      ],
    },
    'docs-agent:t-1': { turns: [{ fail: { status: 400, message: 'not today' } }] },
    'coding-agent:t-1': {
      turns: [
        { say: 'I write.', calls: [bash('pwd; echo work > work.txt; git add -A; git commit -qm mine')] },
        { say: 'work.txt is there.' },
      ],
    },
  })
  const ended = await world.run('team', 't-1')
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  const events = await world.events(ended.id)
  expect(results(events)).toEqual([
    expect.objectContaining({ success: false, status: 'failed', error: 'the model cannot continue: not today' }),
    "Error: Agent 'nobody' not found; there are coding-agent, code-review-agent, test-agent, docs-agent",
    expect.objectContaining({ success: true, status: 'completed', summary: 'work.txt is there.', stepsUsed: 2 }),
  ])
  const log = await world.log(ended.sessions.find(({ kind }) => kind === 'work')?.id ?? '')
  expect(log).toMatch(/^⑂ coding-agent#2 {3}\/workspace$/m)
  expect(log).toContain('git add is not for sub-agents')
})

test('an agent whose context is filling up is told so, and can ask a sub-agent for the rest', async () => {
  const look = (at: number) => ({
    say: `Part ${at}.`,
    calls: [bash(`echo work > work.txt; yes ${at} | head -c 29000`)],
  })
  const world = await worldWith(
    {
      't-1': {
        turns: [
          look(1),
          look(2),
          { say: 'It is filling up.', calls: [spawn('docs-agent', 'Do the rest.')] },
          commit,
          done,
        ],
      },
      'docs-agent:t-1': { turns: [{ say: 'The rest is done.' }] },
    },
    {},
    { windows: { scripted: 28_000 } },
  )
  const ended = await world.run('team', 't-1')
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  const events = await world.events(ended.id)
  const told = events.findIndex(
    ({ type, data }) => type === 'warning' && /^the context is [78]\d% full/.test((data as { text: string }).text),
  )
  const asked = events.findIndex(
    ({ type, data }) => type === 'tool_call' && (data as { tool: string }).tool === 'spawn_subagent',
  )
  expect(told).toBeGreaterThan(0)
  expect(asked).toBeGreaterThan(told)
  expect(results(events)).toMatchObject([{ success: true, summary: 'The rest is done.' }])
})

test('agents come from the base branch: a broken file is named, and one that an agent writes is not asked', async () => {
  const own = '---\nname: house-painter\ndescription: Paints.\ntools: Read\nmodel: sonnet\n---\nYou paint.\n'
  const world = await worldWith(
    {
      't-1': {
        turns: [
          {
            say: 'I make an agent, and ask.',
            calls: [
              bash(`mkdir -p .beadloom/agents; printf -- '---\\ndescription: d\\n---\\np' > .beadloom/agents/mine.md`),
              bash('echo work > work.txt; git add -A; git commit -qm work; git push -q'),
              spawn('house-painter', 'Paint.'),
              spawn('mine', 'Anything.'),
              spawn('house-painter', 'Paint more.', { tools: ['bash'] }),
            ],
          },
          done,
        ],
      },
      'house-painter:t-1': { turns: [{ say: 'It is red.' }] },
    },
    { '.claude/agents/painter.md': own, '.claude/agents/broken.md': 'no head', '.beadloom/agents/README.md': 'About.' },
  )
  const ended = await world.run('team', 't-1')
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  const events = await world.events(ended.id)
  expect(results(events)).toEqual([
    expect.objectContaining({ success: true, summary: 'It is red.' }),
    "Error: Agent 'mine' not found; there are house-painter, coding-agent, code-review-agent, test-agent, docs-agent",
    'Error: house-painter cannot have bash; it can have read_file',
  ])
  const warnings = events.flatMap(({ type, data }) => (type === 'warning' ? [(data as { text: string }).text] : []))
  expect(warnings.filter((text) => text.includes('agents/'))).toEqual([
    '.claude/agents/broken.md is not an agent: its first line is not "---"',
  ])

  const listed = await world.get<NamedAgentsView>('/api/projects/team/agents')
  expect(listed.items.map(({ name, from }) => [name, from])).toEqual([
    ['house-painter', '.claude/agents/painter.md'],
    ['coding-agent', null],
    ['code-review-agent', null],
    ['test-agent', null],
    ['docs-agent', null],
  ])
  expect(listed.problems).toEqual(['.claude/agents/broken.md is not an agent: its first line is not "---"'])
})
