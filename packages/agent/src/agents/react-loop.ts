import { join } from 'node:path'
import OpenAI from 'openai'
import type { ChatCompletionTool } from 'openai/resources/chat/completions'
import { NO_CALLS_YET, watchTurn, type LoopWatch } from '@beadloom/core/execution/loop-watch.ts'
import type { AgentOrder } from '@beadloom/core/execution/session-order.ts'
import { stoppedEnd, type AgentEnd, type AgentVoice } from './agent-end.ts'
import { Conversation } from './conversation.ts'
import type { AgentRole, Verdict } from './agent-role.ts'
import { askModel, ModelFailure, type ModelAnswer, type ToolCall } from './model-call.ts'
import { runCalls } from './run-calls.ts'
import { workerRole } from './worker.ts'
import { commandStop, type SessionDeps } from '../session/session-deps.ts'
import { PLACEHOLDER_KEY } from '../session/session-env.ts'
import { OutputFolder } from '../tools/output-folder.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'

/** Up to this many answers in a row may be empty or cut off before the session fails. */
const MAX_USELESS_ANSWERS = 2
const NOTHING_USABLE = 'the model gave no usable answer several times in a row'

type OpenAiOrder = Extract<AgentOrder, { name: 'openai' }>
type Loop = {
  deps: SessionDeps
  voice: AgentVoice
  order: OpenAiOrder
  talk: Conversation
  context: ToolContext
  role: AgentRole
  watch: LoopWatch
}

/** The built-in agent: think, act, observe, until the model answers without a tool call or its steps run out. */
export async function runReactLoop(
  deps: SessionDeps,
  voice: AgentVoice,
  order: OpenAiOrder,
  prompt: string,
  role = workerRole(deps.order.workspace),
): Promise<AgentEnd> {
  const { workspace } = deps.order
  const stop = AbortSignal.any([commandStop(deps), voice.enough])
  // The gateway retries calls and counts tokens; an answer may take as long as the execution has.
  const client = new OpenAI({
    baseURL: `${deps.linkUrl}/v1`,
    apiKey: PLACEHOLDER_KEY,
    maxRetries: 0,
    timeout: 3_600_000,
    logLevel: 'off', // errors are in the record, in our own words
  })
  const context = {
    workspace,
    env: deps.env,
    clock: deps.clock,
    stop,
    timeoutMs: order.toolTimeoutMs,
    outputLimit: order.toolOutputLimit,
    outputs: new OutputFolder(join(deps.env['TMPDIR'] ?? '/tmp', 'beadloom')),
  }
  const talk = new Conversation(role.system, prompt)
  const loop: Loop = { deps, voice, order, talk, context, role, watch: NO_CALLS_YET }
  let useless = 0
  for (let step = 1; step <= order.maxSteps; step++) {
    if (stop.aborted) return stoppedEnd(deps, voice)
    await deps.writer.write({ type: 'step', step, maxSteps: order.maxSteps })
    try {
      const answer = await think(loop, client, step)
      if (stop.aborted) return stoppedEnd(deps, voice)
      const verdict = (await role.heard?.(answer)) ?? judge(answer)
      if (verdict !== 'go-on' && 'end' in verdict) return verdict.end
      useless = verdict !== 'go-on' && verdict.useless ? useless + 1 : 0
      if (useless > MAX_USELESS_ANSWERS) return (role.unusable ?? modelFailed)(NOTHING_USABLE)
      const acted = await act(loop, answer, step)
      const end = role.end?.() ?? (acted !== 'go-on' && 'end' in acted ? acted.end : null)
      if (end) return end
      for (const said of [verdict, acted])
        if (said !== 'go-on' && 'nudge' in said) loop.talk.add({ role: 'user', content: said.nudge })
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      if (stop.aborted) return stoppedEnd(deps, voice)
      const instead = await role.refused?.(error)
      if (!instead) return modelFailed(`the model cannot continue: ${error.message}`)
      loop.talk.askInstead(instead)
    }
  }
  return { outcome: 'turn_limit', text: `the agent used all of its ${order.maxSteps} steps`, exitCode: null }
}

const modelFailed = (text: string): AgentEnd => ({ outcome: 'failed', reason: 'model_failed', text, exitCode: null })

const offered = (tools: readonly Tool[]): ChatCompletionTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))

async function think(
  { deps, voice, order, talk, context, role }: Loop,
  client: OpenAI,
  number: number,
): Promise<ModelAnswer> {
  const { writer, clock } = deps
  const onRetry = (why: string) => writer.write({ type: 'warning', text: `${why}; trying again` })
  // A conversation that is shortened is another question.
  for (let shortened = 0; ; shortened++) {
    const step = `${number}.${shortened}`
    try {
      const tools = role.tools()
      const form = role.form?.()
      const request = {
        model: order.model,
        messages: talk.messages,
        ...(tools.length > 0 && { tools: offered(tools) }),
        ...(form && { response_format: form }),
      }
      const answer = await askModel(client, request, { clock, stop: context.stop, step, onRetry })
      if (answer.text.trim() && !role.isDocument?.(answer)) await voice.say(answer.text)
      if (answer.usage) await writer.write({ type: 'usage', model: order.model, ...answer.usage })
      return answer
    } catch (error) {
      const tooLong = error instanceof ModelFailure && error.kind === 'too-long'
      if (!tooLong || !talk.halve()) throw error
      await writer.write({
        type: 'warning',
        text: 'the conversation is too long for the model; old tool results are shortened',
      })
    }
  }
}

function judge({ text, calls, finish }: ModelAnswer): Verdict {
  if (finish === 'content_filter') return { end: modelFailed('the model refused to continue (content filter)') }
  if (calls.length > 0) return 'go-on'
  if (finish === 'length')
    return { nudge: 'Your answer was cut off at its longest allowed length. Go on, in smaller steps.', useless: true }
  if (!text.trim())
    return { nudge: 'Your answer was empty. Go on with a tool call, or say that you are done.', useless: true }
  return { end: { outcome: 'success', text: 'the agent finished', exitCode: null } }
}

/** Makes the calls of an answer, and says what to do when the session goes round in circles. */
async function act(loop: Loop, answer: ModelAnswer, step: number): Promise<Verdict> {
  const { deps, talk, context, role } = loop
  const calls = answer.calls.map((call, index) => ({ ...call, id: call.id || `call-${step}-${index + 1}` }))
  const content = answer.text || null
  if (calls.length === 0) {
    if (content) talk.add({ role: 'assistant', content })
    return 'go-on'
  }
  talk.add({
    role: 'assistant',
    content,
    // Some servers refuse the whole conversation from here on if arguments are not JSON.
    tool_calls: calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: isJson(args) ? args : '{}' },
    })),
  })
  const warn = (text: string) => deps.writer.write({ type: 'warning', text })
  const onResult = async ({ id }: ToolCall, text: string) => {
    if (talk.add({ role: 'tool', tool_call_id: id, content: text }) > 0)
      await warn('the conversation is long; old tool results are shortened')
  }
  const made = await runCalls({ deps, calls, tools: role.tools(), context, onResult })
  const [watch, verdict] = watchTurn(loop.watch, made)
  loop.watch = watch
  if (verdict === 'go-on') return verdict
  if ('end' in verdict)
    return { end: { outcome: 'failed', reason: 'agent_repeats', text: verdict.end, exitCode: null } }
  await warn(verdict.warning)
  return { nudge: verdict.nudge }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
