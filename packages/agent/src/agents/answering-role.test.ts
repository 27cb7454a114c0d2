// @suite unit-long
import { beforeEach, describe, expect, test } from 'vitest'
import { PlanForm } from '@beadloom/core/records/plan.ts'
import { ReviewAnswer } from '@beadloom/core/review/review.ts'
import type { Work } from '@beadloom/core/execution/session-order.ts'
import { strictSchema } from '@beadloom/core/review/strict-schema.ts'
import { call, ScriptedModel, type Turn } from '../testing/scripted-model.ts'
import { startKit, type Kit } from '../testing/session-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const answer = '{"issues":[],"summary":"fine","pr_ready":true}'
const look: Turn = { text: 'I look.', calls: [call('bash', { command: 'ls' })] }
const looked: Turn = { text: 'I have seen everything.' }
const refusal = (text: string): Turn => ({
  stream: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { refusal: text } }] })}\n\ndata: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
})

async function review(...turns: Turn[]) {
  const model = await ScriptedModel.start(...turns)
  const agent = { name: 'openai', model: 'm', maxSteps: 20, toolTimeoutMs: 20_000, toolOutputLimit: 5000 } as const
  const work: Work = { kind: 'review', prompt: 'the prompt', nonce: 'abc', agent, blockedGraceMs: 30_000 }
  const result = await kit.run(work, { linkUrl: model.url })
  const asked = model.asked.map(({ tools = [], response_format: form }) => ({
    tools: tools.map(({ function: { name } }) => name),
    form: form?.type ?? null,
  }))
  const answers = kit.record.of('review').map(({ text }) => text)
  return { model, result, asked, answers }
}
const TOOLS = ['bash', 'search', 'read_file', 'check_token_budget', 'spawn_subagent']
const WITH_SUBMIT = [...TOOLS.slice(0, -1), 'submit_review', 'spawn_subagent']

describe('the built-in reviewer', () => {
  test('looks with its tools, and is then asked for one document of the schema, without tools', async () => {
    const { result, model, asked, answers } = await review(look, looked, { text: answer })
    expect(result).toMatchObject({ outcome: 'success', text: 'the review was submitted' })
    expect(asked).toEqual([
      { tools: TOOLS, form: null },
      { tools: TOOLS, form: null },
      { tools: [], form: 'json_schema' },
    ])
    // No server accepts an empty list of tools.
    expect(model.asked[2]).not.toHaveProperty('tools')
    expect(model.asked[2]?.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'review', strict: true, schema: strictSchema(ReviewAnswer) },
    })
    expect(answers).toEqual([answer])
    expect(kit.record.text('message')).not.toContain('pr_ready')
  })

  test.each<[string, Turn]>([
    ['refuses the form', { status: 400, body: JSON.stringify({ error: { message: 'no response_format here' } }) }],
    ['falls over the form', { status: 500, body: JSON.stringify({ error: { message: 'grammar' } }) }],
    ['refuses the form in its stream', { stream: 'data: {"error":{"message":"json_schema is unknown"}}\n\n' }],
    ['ignores the form', { text: `Here it is:\n${answer}` }],
    ['answers with a call', { calls: [call('bash', { command: 'ls' })] }],
  ])('whose model %s is asked for a tool call, for the rest of the session', async (_, odd) => {
    const wrong = { calls: [call('submit_review', { summary: 'fine' })] }
    const good = { calls: [call('submit_review', answer)] }
    const { result, model, asked, answers } = await review(looked, odd, wrong, { text: 'LGTM, approved' }, good)
    expect(result).toMatchObject({ outcome: 'success', text: 'the review was submitted' })
    expect(asked.slice(1).map(({ form }) => form)).toEqual(['json_schema', null, null, null])
    expect(asked.slice(2).map(({ tools }) => tools)).toEqual([WITH_SUBMIT, WITH_SUBMIT, WITH_SUBMIT])
    expect(answers).toEqual([answer])
    expect(kit.record.of('warning')).toHaveLength(1)
    // Some servers refuse two questions in a row.
    expect(
      model.asked
        .at(-1)
        ?.messages.map(({ role }) => role)
        .join(' '),
    ).not.toContain('user user')
  })

  test.each([401, 403, 429])('ends if the error %i is about something other than the schema', async (status) => {
    const { result, asked } = await review(looked, { status, body: JSON.stringify({ error: { message: 'no' } }) })
    expect(result).toMatchObject({ outcome: 'failed', text: 'the model cannot continue: no' })
    expect(asked).toHaveLength(2)
  })

  test.each<[string, Turn[], RegExp]>([
    ['a refusal', [looked, refusal('I cannot\nhelp')], /^the model refused: I cannot help$/],
    ['a refusal while it looks', [refusal('no')], /^the model refused: no$/],
    ['a document that is cut off', [looked, { text: answer.slice(0, 9), finish: 'length' }], /cut off/],
    ['a content filter', [looked, { text: answer, finish: 'content_filter' }], /content filter/],
    ['nothing but words', [looked, looked, looked, looked, looked], /no usable answer/],
    ['nothing at all', [{ text: ' ' }, { text: ' ' }, { text: ' ' }], /no usable answer/],
  ])('has no answer after %s, and says why', async (_, turns, why) => {
    const { result, answers } = await review(...turns)
    expect(result.outcome).toBe('success')
    expect(result.text).toMatch(why)
    expect(answers).toEqual([])
  })

  test('hands over when its context is full at the question, and is still asked', async () => {
    const model = await ScriptedModel.start(
      { calls: [call('bash', { command: 'yes | head -c 24000' })] },
      { text: `I have seen everything. ${'It is long. '.repeat(1000)}` },
      { text: 'I have seen all of it, and it is fine.' },
      { text: answer },
    )
    const limits = { maxSteps: 20, toolTimeoutMs: 20_000, toolOutputLimit: 50_000, windowTokens: 10_000 }
    const agent = { name: 'openai', model: 'm', ...limits } as const
    const work: Work = { kind: 'review', prompt: 'the prompt', nonce: 'abc', agent, blockedGraceMs: 30_000 }
    expect((await kit.run(work, { linkUrl: model.url })).text).toBe('the review was submitted')
    const [, , handover, last] = model.asked
    expect(handover?.messages.at(-1)?.content).toMatch(
      /^Your context is nearly full\.[^]*You were last asked: Give your review now/,
    )
    expect(last?.response_format?.type).toBe('json_schema')
    expect(last?.messages).toHaveLength(2)
    expect(last?.messages[1]?.content).toMatch(/^the prompt[^]*it is fine\.\n\nGive your review now/)
    expect(kit.record.of('review').map(({ text }) => text)).toEqual([answer])
  })

  test('is warned when it loops, and then fails', async () => {
    const { result, model, answers } = await review(...Array<Turn>(9).fill(look))
    expect(result).toMatchObject({
      outcome: 'failed',
      text: 'the agent kept repeating itself after it was warned: 4 times the same call with the same result, bash {"command":"ls"}',
    })
    expect(model.asked).toHaveLength(5)
    expect(answers).toEqual([])
  })

  test('that cannot review says so', async () => {
    const { answers } = await review({ text: 'BLOCKED: there is no diff' })
    expect(answers).toEqual([])
    expect(kit.record.text('message')).toBe('BLOCKED: there is no diff')
  })
})

test('the schema has everything that strict structured output requires, and nothing that a server may not know', () => {
  const known = new Set(['type', 'description', 'enum', 'properties', 'required', 'items', 'additionalProperties'])
  const check = (schema: Record<string, unknown>): void => {
    expect(Object.keys(schema).filter((key) => !known.has(key))).toEqual([])
    const { type, properties, items } = schema as { type: string; properties?: object; items?: object }
    if (type === 'object') {
      expect(schema).toMatchObject({ additionalProperties: false, required: Object.keys(properties ?? {}) })
      for (const member of Object.values(properties ?? {})) check(member as Record<string, unknown>)
    }
    if (type === 'array') check(items as Record<string, unknown>)
  }
  const schema = strictSchema(ReviewAnswer)
  check(schema)
  expect(schema).toMatchObject({
    properties: {
      issues: { items: { properties: { severity: { enum: ['critical', 'high', 'medium', 'low'] } } } },
      pr_ready: { type: 'boolean' },
    },
  })
})

describe('the built-in architect', () => {
  const plan = '{"goal":"A blog.","planMarkdown":"","subtasks":[]}'
  const ask = async (...turns: Turn[]) => {
    const model = await ScriptedModel.start(...turns)
    const agent = { name: 'openai', model: 'm', maxSteps: 20, toolTimeoutMs: 20_000, toolOutputLimit: 5000 } as const
    const form = 'plan' as const
    const result = await kit.run(
      { kind: 'review', form, prompt: 'the prompt', nonce: 'abc', agent, blockedGraceMs: 30_000 },
      { linkUrl: model.url },
    )
    return { model, result, answers: kit.record.of('review').map(({ text }) => text) }
  }

  test('looks as a reviewer does, and is asked for a plan by a strict schema', async () => {
    const { result, model, answers } = await ask(look, looked, { text: plan })
    expect(result).toMatchObject({ outcome: 'success', text: 'the plan was submitted' })
    expect(model.asked[2]?.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'plan', strict: true, schema: strictSchema(PlanForm) },
    })
    expect(JSON.stringify(strictSchema(PlanForm))).toContain('"enum":["test","impl","refactor"]')
    expect(answers).toEqual([plan])
  })

  test('gives it by a tool if its model has no structured output', async () => {
    const { model, answers } = await ask(looked, { text: 'It is simple.' }, { calls: [call('submit_plan', plan)] })
    expect(model.asked.at(-1)?.tools?.map(({ function: { name } }) => name)).toContain('submit_plan')
    expect(answers).toEqual([plan])
  })
})
