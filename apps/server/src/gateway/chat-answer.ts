import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions'
import { estimateTokens } from './usage-meter.ts'

/** An assistant's turn, before it is put into the words of the API. `id` is unique for each answer. */
export type ChatTurn = {
  id: string
  /** Seconds since 1970, as the API has it. */
  created: number
  model: string
  fingerprint: string
  say: string
  calls: { tool: string; arguments: string }[]
  usage: ChatUsage
}

export type ChatUsage = { prompt_tokens: number; completion_tokens: number; total_tokens: number }

export function chatUsage(requestCharacters: number, answerCharacters: number): ChatUsage {
  const prompt = estimateTokens(requestCharacters)
  const completion = Math.max(1, estimateTokens(answerCharacters))
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

export function chatCompletion(turn: ChatTurn): ChatCompletion {
  return {
    id: turn.id,
    object: 'chat.completion',
    created: turn.created,
    model: turn.model,
    system_fingerprint: turn.fingerprint,
    choices: [
      {
        index: 0,
        finish_reason: finishOf(turn),
        logprobs: null,
        message: {
          role: 'assistant',
          content: turn.say || null,
          refusal: null,
          ...(turn.calls.length > 0 && {
            tool_calls: turn.calls.map((call, index) => ({
              id: callId(turn, index),
              type: 'function',
              function: { name: call.tool, arguments: call.arguments },
            })),
          }),
        },
      },
    ],
    usage: turn.usage,
  }
}

/** The same turn as a stream: role, text in pieces, tool calls in pieces, the reason for the end, the usage. */
export function* chatChunks(turn: ChatTurn): Generator<ChatCompletionChunk> {
  yield chunk(turn, { role: 'assistant', content: '' })
  for (const content of pieces(turn.say)) yield chunk(turn, { content })
  for (const [index, call] of turn.calls.entries()) {
    const id = callId(turn, index)
    yield chunk(turn, { tool_calls: [{ index, id, type: 'function', function: { name: call.tool, arguments: '' } }] })
    for (const part of pieces(call.arguments)) {
      yield chunk(turn, { tool_calls: [{ index, function: { arguments: part } }] })
    }
  }
  yield { ...chunk(turn, {}), choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(turn) }] }
  yield { ...chunk(turn, {}), choices: [], usage: turn.usage }
}

function chunk(turn: ChatTurn, delta: ChatCompletionChunk.Choice.Delta): ChatCompletionChunk {
  return {
    id: turn.id,
    object: 'chat.completion.chunk',
    created: turn.created,
    model: turn.model,
    system_fingerprint: turn.fingerprint,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
  }
}

const finishOf = (turn: ChatTurn) => (turn.calls.length > 0 ? 'tool_calls' : 'stop')
const callId = (turn: ChatTurn, index: number) => `call_${turn.id}_${index + 1}`

/** About as long as what a model sends at once, and never half of a surrogate pair. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,48}(?![\udc00-\udfff])/gu) ?? []
