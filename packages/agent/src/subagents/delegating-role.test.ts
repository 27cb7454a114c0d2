import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { builtInAgents } from '@beadloom/core/agents/named/built-in-agents.ts'
import { answeringRole } from '../agents/answering-role.ts'
import { planForm } from '../agents/plan-form.ts'
import { reviewForm } from '../agents/review-form.ts'
import { workerRole } from '../agents/worker.ts'
import { delegating } from './delegating-role.ts'
import { spawnSubagent } from './spawn-subagent.ts'

const order = { name: 'openai', model: 'm', maxSteps: 30, toolTimeoutMs: 1000, toolOutputLimit: 1000 } as const
const client = new OpenAI({ apiKey: 'none' })
const nothing = { take: async () => {}, warn: async () => {} }
const spawn = () =>
  spawnSubagent({ order, client, record: { write: async () => {} }, scratch: '/tmp' }, builtInAgents, () => [])

test('the tool has the specified name, description and schema', () => {
  const tool = spawn()
  expect(tool).toMatchObject({
    name: 'spawn_subagent',
    title: 'Spawn Sub-Agent',
    categories: ['agent', 'execution'],
    requiresConfirmation: false,
    description:
      'Spawn an isolated sub-agent for a complex subtask. Use when: (1) task is self-contained, (2) context is filling up, (3) you need a fresh perspective. The sub-agent gets its own context window and returns a summary.',
    parameters: { required: ['agent', 'task'] },
  })
  const { properties } = tool.parameters as { properties: Record<string, { type: string; description: string }> }
  expect(Object.entries(properties).map(([name, { type }]) => `${name} ${type}`)).toEqual([
    'agent string',
    'task string',
    'context string',
    'tools array',
    'maxSteps integer',
  ])
  expect(properties['maxSteps']?.description).toContain('default: 10')
  for (const { name } of builtInAgents) expect(properties['agent']?.description).toContain(name)
})

test.each([
  ['worker', workerRole('/workspace', true)],
  ['reviewer', answeringRole('/workspace', reviewForm, nothing)],
  ['architect', answeringRole('/workspace', planForm, nothing)],
])('the %s is told when to ask others, and when not', (_, role) => {
  const { system, tools } = delegating(role, spawn())
  expect(system).toMatch(
    /## Sub-Agent Spawning\n[^]*Use `spawn_subagent` when:\n(?:- .+\n){4}\nDo NOT spawn sub-agents for:\n(?:- .+\n){3}/,
  )
  expect(system).toContain('more than 70% used, as `check_token_budget` says')
  expect(tools().map(({ name }) => name)).toEqual(expect.arrayContaining(['check_token_budget', 'spawn_subagent']))
})
