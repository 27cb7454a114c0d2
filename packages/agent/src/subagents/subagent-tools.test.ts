// @suite unit-long
import { beforeEach, describe, expect, test } from 'vitest'
import type { OpenAiOrder } from '@beadloom/core/execution/session-order.ts'
import { AnsweringModel, type Asked } from '../testing/answering-model.ts'
import type { Turn } from '../testing/scripted-model.ts'
import { startKit, type Kit } from '../testing/session-kit.ts'
import { done, helper, playSpawning, spawn } from '../testing/spawning.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit({ 'README.md': 'hello\n', 'src/a.ts': 'export const a = 1\n' })
})

const play = (parent: Turn[], children: Record<string, Turn[]>, order: Partial<OpenAiOrder> = {}) =>
  playSpawning(kit, { parent, children, order })

const toolsOf = ({ tools = [] }: Asked) => tools.map(({ function: { name } }) => name)

describe('a sub-agent', () => {
  test('has only tools that its parent, its file and the call all allow, and none to spawn others', async () => {
    const ask = (agent: string, tools?: string[]) => spawn({ agent, task: 't', ...(tools && { tools }) })
    const { model } = await play(
      [
        { calls: [ask('free'), ask('free', ['search', 'bash']), ask('bound'), ask('bound', ['search'])] },
        { calls: [ask('bound', ['bash'])] },
        done,
      ],
      { free: [{ text: 'ok' }], bound: [{ text: 'ok' }] },
      { agents: [helper({ name: 'free' }), helper({ name: 'bound', tools: ['search', 'read_file'] })] },
    )
    expect(model.children.map(({ asked }) => toolsOf(asked))).toEqual([
      ['bash', 'search', 'read_file', 'write_file', 'edit_file', 'check_token_budget'],
      ['bash', 'search'],
      ['search', 'read_file'],
      ['search'],
    ])
    expect(kit.record.of('tool_result').at(-1)?.text).toBe(
      'Error: bound cannot have bash; it can have search, read_file',
    )
  })

  test('of a reviewer has none of the tools that a reviewer lacks', async () => {
    const model = await AnsweringModel.start(
      [
        { calls: [spawn({ agent: 'coding-agent', task: 't' })] },
        { text: 'I have seen everything.' },
        { text: '{"issues":[],"summary":"s","pr_ready":true}' },
      ],
      { 'coding-agent': [{ text: 'ok' }] },
    )
    const agent = { name: 'openai', model: 'm', maxSteps: 20, toolTimeoutMs: 20_000, toolOutputLimit: 5000 } as const
    await kit.run({ kind: 'review', prompt: 'p', nonce: 'n', agent, blockedGraceMs: 30_000 }, { linkUrl: model.url })
    expect(toolsOf(model.of('coding-agent')[0]!)).toEqual(['bash', 'search', 'read_file', 'check_token_budget'])
    expect(kit.record.of('review')).toHaveLength(1)
  })

  test('asks the model that its file names, or else its parent’s', async () => {
    const agents = [helper({ name: 'own', model: 'small', windowTokens: 64_000 }), helper({ name: 'same' })]
    const calls = [spawn({ agent: 'own', task: 't' }), spawn({ agent: 'same', task: 't' })]
    const { model } = await play([{ calls }, done], { own: [{ text: 'ok' }], same: [{ text: 'ok' }] }, { agents })
    expect(model.children.map(({ asked }) => asked.model)).toEqual(['small', 'm'])
  })
})
