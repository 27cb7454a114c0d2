// @suite unit-long
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OpenAiOrder } from '@beadloom/core/execution/session-order.ts'
import type { Asked } from '../testing/answering-model.ts'
import { call, type Turn } from '../testing/scripted-model.ts'
import { startKit, type Kit } from '../testing/session-kit.ts'
import { done, helper, playSpawning, spawn, used } from '../testing/spawning.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit({ 'README.md': 'hello\n', 'src/a.ts': 'export const a = 1\n' })
})

const play = (parent: Turn[], children: Record<string, Turn[]>, order: Partial<OpenAiOrder> = {}) =>
  playSpawning(kit, { parent, children, order })

const contentOf = ({ messages }: Asked, at: number) => String(messages[at]?.content)

describe('a sub-agent', () => {
  test('that is not done when its steps are used up is no success, even if it would never end', async () => {
    const busy = Array.from({ length: 12 }, (_, at): Turn => ({
      text: `Step ${at}.`,
      calls: [call('bash', { command: `echo ${at}` })],
    }))
    const { told } = await play(
      [
        { calls: [spawn({ agent: 'coding-agent', task: 't' })] },
        { calls: [spawn({ agent: 'test-agent', task: 't', maxSteps: 2 })] },
        done,
      ],
      { 'coding-agent': busy, 'test-agent': busy },
    )
    expect(told).toMatchObject([
      {
        success: false,
        status: 'max_steps',
        stepsUsed: 10,
        summary: 'Step 9.',
        error: expect.stringMatching(/all of its 10 steps/),
      },
      { success: false, status: 'max_steps', stepsUsed: 2 },
    ])
  })

  test('has no more steps than its parent may have', async () => {
    const busy = Array.from({ length: 9 }, (): Turn => ({ calls: [call('bash', { command: 'date +%N' })] }))
    const asks = [{ calls: [spawn({ agent: 'coding-agent', task: 't' })] }, done]
    const { first } = await play(asks, { 'coding-agent': busy }, { maxSteps: 4 })
    expect(first).toMatchObject({ status: 'max_steps', stepsUsed: 4 })
  })

  test('gets at most the rest of its parent’s tokens, and its own count there', async () => {
    const greedy = Array.from({ length: 9 }, (_, at): Turn => ({
      text: `Part ${at}.`,
      calls: [call('bash', { command: `echo ${at}` })],
      ...used(1000),
    }))
    const { first, model, told } = await play(
      [
        { calls: [spawn({ agent: 'helper', task: 't' })], ...used(2000) },
        { calls: [spawn({ agent: 'helper', task: 'again' })], ...used(100) },
        done,
      ],
      { helper: greedy },
      { tokenBudget: 5000, agents: [helper()] },
    )
    expect(first).toMatchObject({
      success: false,
      status: 'budget',
      tokensUsed: 3000,
      stepsUsed: 4,
      summary: 'Part 2.',
    })
    expect(first.error).toMatch(/budget_exhausted: 3,000 of 3,000 tokens/)
    expect(told[1]).toMatch(/no tokens are left for a sub-agent/)
    expect(model.of('helper')).toHaveLength(3)
    expect(kit.record.of('usage').map(({ cumulativeTokens }) => cumulativeTokens)).toEqual([2000, 5100, 5610])
  })

  test('that the gateway refuses because its tokens are used up says so', async () => {
    const body = JSON.stringify({
      error: { message: 'the token budget of this execution is used up', code: 'budget_exhausted' },
    })
    const { first } = await play([{ calls: [spawn({ agent: 'docs-agent', task: 't' })] }, done], {
      'docs-agent': [{ status: 400, body }],
    })
    expect(first).toMatchObject({ success: false, status: 'budget' })
  })

  test('hands over when its own context is full, as its parent does', async () => {
    const { first, model } = await play(
      [{ calls: [spawn({ agent: 'helper', task: 'Read.' })] }, done],
      {
        helper: [
          { calls: [call('bash', { command: 'yes | head -c 28000' })] },
          { text: 'I have read half.' },
          { text: 'All is read.' },
        ],
      },
      { agents: [helper({ model: 'small', windowTokens: 8000 })], windowTokens: 100_000, toolOutputLimit: 50_000 },
    )
    expect(first).toMatchObject({ success: true, summary: 'All is read.', stepsUsed: 2 })
    expect(model.children.map(({ step }) => step)).toEqual(['s1-1.0', 's1-2.h', 's1-2.0'])
    expect(contentOf(model.of('helper')[2]!, 1)).toBe(
      'Read.\n\n## Handover from your earlier context\nI have read half.',
    )
    expect(kit.record.of('handover')).toEqual([])
  })

  test('whose summary is long is cut with a note, and the whole of it can be read', async () => {
    const long = `begin ${'x'.repeat(9000)} end`
    const { first, model } = await play(
      [
        { calls: [spawn({ agent: 'docs-agent', task: 't' })] },
        { calls: [call('read_file', { path: join(kit.tmp, 'beadloom/output-1.txt') })] },
        done,
      ],
      { 'docs-agent': [{ text: long }] },
    )
    expect(first).toMatchObject({ success: true, status: 'completed' })
    expect(first.summary).toMatch(/^begin x+[^]*left out[^]*the whole output is in .*output-1\.txt[^]*x+ end$/)
    expect(kit.record.of('tool_result').at(-1)?.text).toContain('begin xxx')
    expect(model.own).toHaveLength(3)
  })

  test('is one of at most twenty in a session', async () => {
    const calls = Array.from({ length: 22 }, (_, at) => spawn({ agent: 'docs-agent', task: `t${at}` }))
    const { told } = await play([{ calls }, done], { 'docs-agent': [{ text: 'ok' }] }, { toolOutputLimit: 50_000 })
    expect(told.filter((one) => typeof one !== 'string')).toHaveLength(20)
    expect(told.at(-1)).toMatch(/a session has at most 20 sub-agents/)
  })
})
