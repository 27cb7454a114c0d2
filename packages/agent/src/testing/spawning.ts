import type { OpenAiOrder, OrderedAgent } from '@beadloom/core/execution/session-order.ts'
import { AnsweringModel, type Parent } from './answering-model.ts'
import { call, type Turn } from './scripted-model.ts'
import { workWith, type Kit } from './session-kit.ts'

/** The result of a sub-agent as its parent gets it. */
export type Result = {
  success: boolean
  status: string
  summary: string
  stepsUsed: number
  tokensUsed: number
  error: string | null
}

export const spawn = (args: object) => call('spawn_subagent', args)
export const done: Turn = { text: 'All done.', usage: { prompt_tokens: 500, completion_tokens: 10 } }
/** The usage of a turn whose call took this many tokens. */
export const used = (tokens: number) => ({ usage: { prompt_tokens: tokens - 10, completion_tokens: 10 } })

export const helper = (more: Partial<OrderedAgent> = {}): OrderedAgent => ({
  name: 'helper',
  description: 'Helps.',
  tools: null,
  model: null,
  prompt: 'You help.',
  ...more,
})

export type Play = {
  parent: Parent
  /** By the agent's name: each of its conversations plays these turns from the first one on. */
  children: Record<string, Turn[]>
  order?: Partial<OpenAiOrder>
  /** The first `meet` calls of sub-agents wait for each other. */
  meet?: number
}

/** Plays a session whose agent asks others. */
export async function playSpawning(kit: Kit, { parent, children, order = {}, meet }: Play) {
  const model = await AnsweringModel.start(parent, children)
  if (meet !== undefined) model.meet(meet)
  const limits = { maxSteps: 30, toolTimeoutMs: 20_000, toolOutputLimit: 5000 }
  const result = await kit.run(workWith({ name: 'openai', model: 'm', ...limits, ...order }), { linkUrl: model.url })
  const results = kit.record.of('tool_result').filter(({ tool }) => tool === 'spawn_subagent')
  const told = results.map(({ text }) => (text.startsWith('{') ? (JSON.parse(text) as Result) : text))
  return { model, result, told, first: told[0] as Result }
}
