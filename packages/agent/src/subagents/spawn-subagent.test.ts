// @suite unit-long
import { beforeEach, describe, expect, test } from 'vitest'
import type { OpenAiOrder } from '@beadloom/core/execution/session-order.ts'
import { AnsweringModel, type Asked } from '../testing/answering-model.ts'
import { call, type Turn } from '../testing/scripted-model.ts'
import { startKit, workWith, type Kit } from '../testing/session-kit.ts'
import { done, helper, playSpawning, spawn, used } from '../testing/spawning.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit({ 'README.md': 'hello\n', 'src/a.ts': 'export const a = 1\n' })
})

const play = (parent: Turn[], children: Record<string, Turn[]>, order: Partial<OpenAiOrder> = {}) =>
  playSpawning(kit, { parent, children, order })

const contentOf = ({ messages }: Asked, at: number) => String(messages[at]?.content)

describe('a sub-agent', () => {
  test('works with a fresh conversation in the same workspace, and returns its summary and nothing else', async () => {
    const { model, result, told } = await play(
      [{ text: 'A secret of the parent.', calls: [spawn({ agent: 'coding-agent', task: 'Write b.' })] }, done],
      {
        'coding-agent': [
          { text: 'I think aloud.', calls: [call('bash', { command: 'pwd; echo b > b.txt' })], ...used(300) },
          { text: 'b.txt is written.', ...used(400) },
        ],
      },
    )
    expect(result.outcome).toBe('success')
    expect(told).toEqual([
      { success: true, status: 'completed', summary: 'b.txt is written.', stepsUsed: 2, tokensUsed: 700, error: null },
    ])
    const [first, second] = model.of('coding-agent')
    expect(first?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(contentOf(first!, 1)).toBe('Write b.')
    expect(contentOf(first!, 0)).toMatch(/^You are a software engineer who implements one self-contained change\./)
    expect(JSON.stringify(second)).not.toContain('secret of the parent')
    expect(contentOf(second!, 3)).toContain(kit.workspace)
    // The parent continues in its own conversation, with only the summary.
    const parent = model.own.at(-1)!
    expect(parent.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(JSON.stringify(parent)).not.toContain('think aloud')
    expect(await kit.git('show', 'HEAD:b.txt')).toBe('b')
  })

  test('gets the context below its task', async () => {
    const args = { agent: 'code-review-agent', task: 'Review.', context: 'diff --git a b' }
    const { model } = await play([{ calls: [spawn(args)] }, done], { 'code-review-agent': [{ text: 'Fine.' }] })
    expect(contentOf(model.of('code-review-agent')[0]!, 1)).toBe('Review.\n\n## Context\ndiff --git a b')
  })

  test('with an unknown name is an observation, and so are wrong arguments', async () => {
    const wrong = [
      spawn({ agent: 'nobody', task: 't' }),
      spawn({ task: 't' }),
      spawn({ agent: 'coding-agent', task: ' ' }),
      spawn({ agent: 'coding-agent', task: 't', maxSteps: 31 }),
      spawn({ agent: 'coding-agent', task: 't', workingDirectory: '/' }),
      spawn({ agent: 'coding-agent', task: 't', tools: ['spawn_subagent'] }),
    ]
    const { told, model, result } = await play([{ calls: wrong }, done], {})
    expect(told).toEqual([
      expect.stringMatching(
        /^Error: Agent 'nobody' not found; there are coding-agent, code-review-agent, test-agent, docs-agent$/,
      ),
      expect.stringMatching(/^Error: invalid arguments: .*agent/),
      expect.stringMatching(/^Error: invalid arguments: .*task/),
      expect.stringMatching(/^Error: invalid arguments: .*maxSteps/),
      expect.stringMatching(/^Error: invalid arguments: .*workingDirectory/),
      expect.stringMatching(/^Error: coding-agent cannot have spawn_subagent; it can have bash, search/),
    ])
    expect(result.outcome).toBe('success')
    expect(model.children).toEqual([])
  })

  test('whose model fails has failed, with the error, and its parent continues', async () => {
    const failing: Turn = { status: 401, body: '{"error":{"message":"check OPENAI_API_KEY"}}' }
    const { told, result } = await play([{ calls: [spawn({ agent: 'docs-agent', task: 't' })] }, done], {
      'docs-agent': [{ text: 'All is fine so far.', calls: [call('search', { pattern: 'a' })], ...used(200) }, failing],
    })
    expect(told).toEqual([
      {
        success: false,
        status: 'failed',
        summary: 'All is fine so far.',
        stepsUsed: 2,
        tokensUsed: 200,
        error: 'the model cannot continue: check OPENAI_API_KEY',
      },
    ])
    expect(kit.record.of('tool_result')[0]?.ok).toBe(false)
    expect(result.outcome).toBe('success')
  })

  test.each<[string, Turn[], RegExp]>([
    ['says nothing', [{ text: ' ' }, { text: ' ' }, { text: ' ' }], /no usable answer/],
    ['is stopped by a content filter', [{ text: 'half', finish: 'content_filter' }], /content filter/],
    ['is blocked', [{ text: 'I looked.\nBLOCKED: no schema' }], /^it is blocked: no schema$/],
  ])('that %s has failed, and blocks nobody', async (_, turns, error) => {
    const { first, result } = await play(
      [{ calls: [spawn({ agent: 'helper', task: 't' })] }, done],
      { helper: turns },
      { agents: [helper()] },
    )
    expect(first).toMatchObject({ success: false, status: 'failed', error: expect.stringMatching(error) })
    expect(result).toMatchObject({ outcome: 'success', text: 'the agent finished' })
  })

  test('is recorded in full, and nothing of it as words or calls of its parent', async () => {
    await play([{ calls: [spawn({ agent: 'coding-agent', task: 'Look.' })] }, done], {
      'coding-agent': [{ text: 'I look.', calls: [call('bash', { command: 'echo seen' })] }, { text: 'Seen.' }],
    })
    const events = kit.record
      .of('sub_agent')
      .map(({ sub, agent, what, text }) => [sub, agent, what, text.split('\n')[0]])
    expect(events.filter(([, , what]) => what !== 'usage')).toEqual([
      [1, 'coding-agent', 'begin', 'Look.'],
      [1, 'coding-agent', 'step', '1 of 10'],
      [1, 'coding-agent', 'message', 'I look.'],
      [1, 'coding-agent', 'tool_call', 'bash({"command":"echo seen"})'],
      [1, 'coding-agent', 'tool_result', expect.stringMatching(/^✓ bash, \d+ ms$/)],
      [1, 'coding-agent', 'step', '2 of 10'],
      [1, 'coding-agent', 'message', 'Seen.'],
      [1, 'coding-agent', 'end', 'completed'],
    ])
    expect(kit.record.of('message').map(({ text }) => text)).toEqual(['All done.'])
    expect(kit.record.of('step')).toHaveLength(2)
  })

  test('names itself and its own steps to the gateway', async () => {
    const { model } = await play([{ calls: [spawn({ agent: 'docs-agent', task: 't' })] }, done], {
      'docs-agent': [{ text: 'ok' }],
    })
    expect(model.children.map(({ agent, step }) => [agent, step])).toEqual([['docs-agent', 's1-1.0']])
  })

  test('ends with its session', async () => {
    const stopper = new AbortController()
    const model = await AnsweringModel.start([{ calls: [spawn({ agent: 'coding-agent', task: 't' })] }], {
      'coding-agent': [{ calls: [call('bash', { command: 'echo begun; sleep 1000' })] }],
    })
    const limits = { maxSteps: 5, toolTimeoutMs: 600_000, toolOutputLimit: 1000 }
    const running = kit.run(workWith({ name: 'openai', model: 'm', ...limits }), {
      linkUrl: model.url,
      stop: stopper.signal,
    })
    await kit.record.waitFor('"what":"tool_call"')
    stopper.abort()
    expect(await running).toMatchObject({ outcome: 'failed', reason: 'stopped' })
    const [result] = kit.record.of('tool_result')
    expect(JSON.parse(result!.text)).toMatchObject({
      success: false,
      status: 'cancelled',
      error: 'the session is ending',
    })
  })
})
