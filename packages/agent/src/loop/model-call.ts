import { APIConnectionError, APIError, type OpenAI } from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { CompletionUsage } from 'openai/resources/completions'
import type { ResponseFormatJSONSchema } from 'openai/resources/shared'
import { AGENT_HEADER, STEP_HEADER } from '@beadloom/core/agents/step-header.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { CallUse } from '@beadloom/core/context/context-meter.ts'
import type { Clock } from '../process/clock.ts'

export type ModelRequest = {
  model: string
  messages: ChatCompletionMessageParam[]
  /** Never empty: servers refuse that. */
  tools?: ChatCompletionTool[]
  tool_choice?: 'none'
  response_format?: ResponseFormatJSONSchema
}

/** The question's name for the gateway, which counts how often it is asked. */
export type Step = string

export type ToolCall = { id: string; name: string; arguments: string }

export type ModelAnswer = {
  text: string
  /** Why the model does not answer, in its own words; empty if it does. Part of `text` too. */
  refusal: string
  calls: ToolCall[]
  /** As the model said it: `stop`, `tool_calls`, `length`, `content_filter`, … */
  finish: string
  usage: CallUse | null
}

/** The model cannot continue. The sentence is the gateway's, if it gave one. */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  readonly kind: 'refused' | 'too-long' | 'unreachable' | 'garbage'
  /** Status of the HTTP answer, if there was one. */
  readonly status: number | null
  /** The server's own code for it, if it has one. */
  readonly code: string | null
  constructor(
    kind: ModelFailure['kind'],
    message: string,
    { status, code }: { status?: number | null; code?: string | null | undefined } = {},
  ) {
    super(message)
    this.kind = kind
    this.status = status ?? null
    this.code = code ?? null
  }
}

/** The gateway's code for a token limit that is reached. */
export const BUDGET_EXHAUSTED = 'budget_exhausted'
/** Without a code of its own it is about the connection, on an overloaded machine. */
const REQUEST_TIMEOUT = 408
/** The gateway retries failed calls; all we wait for is the gateway itself. */
const GIVE_UP_AFTER_MS = 60_000
const RETRY_MS = 1000
/** No real answer is this long; an endless stream must not fill the memory. */
const MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024

export type AskOptions = {
  clock: Clock
  stop: AbortSignal
  step: Step
  /** The sub-agent that asks. */
  agent?: string | undefined
  giveUpAfterMs?: number
  onRetry: (why: string) => Promise<void>
}

/**
 * Asks the model one question, answered as a stream. If the connection breaks or cannot be made, retries for
 * `giveUpAfterMs` after the first failure. Throws a `ModelFailure` for anything else that goes wrong.
 */
export async function askModel(
  client: OpenAI,
  request: ModelRequest,
  { clock, stop, step, agent, giveUpAfterMs = GIVE_UP_AFTER_MS, onRetry }: AskOptions,
): Promise<ModelAnswer> {
  let failingSince: number | null = null
  for (;;) {
    try {
      return await askOnce(client, request, { step, agent, stop })
    } catch (error) {
      const failure = toFailure(error)
      if (failure.kind !== 'unreachable' || stop.aborted) throw failure
      if (failingSince === null) await onRetry(failure.message)
      failingSince ??= clock.monotonic()
      if (clock.monotonic() - failingSince >= giveUpAfterMs) throw failure
      await clock.sleep(RETRY_MS, stop)
    }
  }
}

async function askOnce(
  client: OpenAI,
  request: ModelRequest,
  { step, agent, stop: signal }: Pick<AskOptions, 'step' | 'agent' | 'stop'>,
): Promise<ModelAnswer> {
  const stream = await client.chat.completions.create(
    { ...request, stream: true, stream_options: { include_usage: true } },
    { signal, headers: { [STEP_HEADER]: step, ...(agent !== undefined && { [AGENT_HEADER]: agent }) } },
  )
  const answer: ModelAnswer = { text: '', refusal: '', calls: [], finish: '', usage: null }
  const calls = new Map<number, ToolCall>()
  let size = 0
  for await (const chunk of stream) {
    if (typeof chunk !== 'object' || chunk === null)
      throw new ModelFailure('garbage', 'the model sent something that is not an answer')
    if (chunk.usage) answer.usage = useIn(chunk.usage)
    const choice = chunk.choices?.[0]
    if (!choice) continue
    const { content, refusal, tool_calls: parts } = choice.delta ?? {}
    answer.text += content ?? refusal ?? ''
    answer.refusal += refusal ?? ''
    for (const { index, id, function: named } of parts ?? []) {
      const at = index ?? 0 // with a single call, some servers leave it out
      const call = calls.get(at) ?? { id: '', name: '', arguments: '' }
      calls.set(at, {
        id: call.id || (id ?? ''),
        name: call.name + (named?.name ?? ''),
        arguments: call.arguments + (named?.arguments ?? ''),
      })
      size += named?.arguments?.length ?? 0
    }
    if (choice.finish_reason) answer.finish = choice.finish_reason
    if (answer.text.length + size > MAX_ANSWER_CHARACTERS) {
      stream.controller.abort()
      throw new ModelFailure('garbage', 'the model sent an endless answer')
    }
  }
  signal.throwIfAborted()
  if (!answer.finish && calls.size === 0 && !answer.text)
    throw new ModelFailure('garbage', 'the model sent an empty answer')
  if (!answer.finish) throw new ModelFailure('unreachable', "the model's answer broke off")
  answer.calls = [...calls.entries()].toSorted(([a], [b]) => a - b).map(([, call]) => call)
  return answer
}

function useIn({ prompt_tokens, completion_tokens, completion_tokens_details: of }: CompletionUsage): CallUse {
  const reasoning = whole(of?.reasoning_tokens)
  return { input: whole(prompt_tokens), output: whole(completion_tokens), ...(reasoning > 0 && { reasoning }) }
}

const whole = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.round(value) : 0)

function toFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  const message = messageOf(error)
  if (error instanceof APIConnectionError)
    return new ModelFailure('unreachable', `the gateway cannot be reached: ${causeOf(error)}`)
  if (error instanceof APIError && error.status === REQUEST_TIMEOUT && error.error === undefined)
    return new ModelFailure('unreachable', 'the gateway has waited for the request for too long')
  if (error instanceof APIError && error.status !== undefined) {
    const tooLong =
      error.code === 'context_length_exceeded' ||
      /context.{0,20}(?:length|window|size|limit)|(?:prompt|input) is too long|maximum context/i.test(message)
    return new ModelFailure(tooLong && error.status < 500 ? 'too-long' : 'refused', sentenceOf(error), error)
  }
  // An error within the stream.
  if (error instanceof APIError) return new ModelFailure('refused', sentenceOf(error), { code: error.code })
  if (error instanceof SyntaxError)
    return new ModelFailure('garbage', `the model sent something that is not JSON: ${message}`)
  // If a stream breaks off, fetch throws its own TypeError ("terminated"), caused by the socket's error.
  return new ModelFailure('unreachable', `the connection to the gateway broke off: ${causeOf(error)}`)
}

/**
 * The server's own words, without what the library puts before them: the status, or the whole body if there is no
 * message.
 */
function sentenceOf(error: APIError): string {
  const own = (error.error as { message?: unknown } | undefined)?.message
  return typeof own === 'string' && own ? own : error.message.slice(0, 1000)
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? causeOf(error.cause) : error.message
}
