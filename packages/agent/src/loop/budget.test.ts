import OpenAI from 'openai'
import { beforeEach, expect, test } from 'vitest'
import { TokenTracker } from '@beadloom/core/context/token-tracker.ts'
import { MemoryRecord } from '../testing/memory-record.ts'
import { call, ScriptedModel, type Turn } from '../testing/scripted-model.ts'
import { startKit, workBy, type Kit } from '../testing/session-kit.ts'
import { bash } from '../tools/bash.ts'
import { OutputFolder } from '../tools/output-folder.ts'
import type { LoopBudget } from './meters.ts'
import { runReactLoop } from './react-loop.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const step = (tokens: number, command: string): Turn => ({
  text: `I run ${command}.`,
  calls: [call('bash', { command })],
  usage: { prompt_tokens: tokens, completion_tokens: 0 },
})

async function loop(turns: Turn[], budget: LoopBudget) {
  const model = await ScriptedModel.start(...turns)
  const record = new MemoryRecord()
  const { env, clock, stop } = kit.deps(workBy('true'))
  const end = await runReactLoop({
    order: { name: 'openai', model: 'm', maxSteps: 10, toolTimeoutMs: 20_000, toolOutputLimit: 1000 },
    role: { system: 's', tools: () => [bash] },
    prompt: 'p',
    client: new OpenAI({ baseURL: `${model.url}/v1`, apiKey: 'none', maxRetries: 0 }),
    context: {
      workspace: kit.workspace,
      env,
      clock,
      stop,
      timeoutMs: 20_000,
      outputLimit: 1000,
      outputs: new OutputFolder('/nowhere'),
    },
    budget,
    record: {
      write: (body) => record.writer.write(body),
      say: (text) => record.writer.write({ type: 'message', text }),
    },
    stopped: () => ({ outcome: 'failed', text: 'stopped', exitCode: null }),
  })
  await record.writer.finish()
  return { end, model, record }
}

test('a callback at a threshold can end the loop: with the work so far, and no success', async () => {
  const asked: number[][] = []
  const { end, model } = await loop([step(600, 'echo a'), step(200, 'echo b'), { text: 'Done.' }], {
    spent: new TokenTracker(1000),
    onBudgetThreshold: async (used, budget) => {
      asked.push([used, budget])
      return asked.length < 1
    },
  })
  expect(asked).toEqual([[800, 1000]])
  expect(end).toMatchObject({ why: 'tokens', answer: 'I run echo b.', end: { outcome: 'failed' } })
  expect(end.end.text).toMatch(/^budget_exhausted: 800 of 1,000 tokens/)
  expect(model.asked).toHaveLength(2)
})

test('the first threshold can be set', async () => {
  const asked: number[] = []
  const { end, record } = await loop([step(550, 'echo a'), step(10, 'echo b'), { text: 'Done.' }], {
    spent: new TokenTracker(1000),
    warningThreshold: 50,
    onBudgetThreshold: async (used) => asked.push(used) > 0,
  })
  expect(end.why).toBe('done')
  expect(asked).toEqual([550])
  expect(record.of('warning').map(({ text }) => text)).toEqual(['50% of the token budget is used: 550 of 1,000'])
})

test('without tokens it ends only if it is told to; otherwise the server that answers its calls decides', async () => {
  const turns = [step(1500, 'echo a'), { text: 'Done.' }]
  expect((await loop(turns, { spent: new TokenTracker(1000) })).end.why).toBe('done')
  expect((await loop(turns, { spent: new TokenTracker(1000), endsWithoutTokens: true })).end.why).toBe('tokens')
})
