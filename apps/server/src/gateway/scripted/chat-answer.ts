import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions'
import { eventText, pieces, type ScriptedAnswer } from './scripted-answer.ts'

export function chatCompletion(answer: ScriptedAnswer): ChatCompletion {
  return {
    id: answer.id,
    object: 'chat.completion',
    created: answer.created,
    model: answer.model,
    system_fingerprint: answer.note,
    choices: [
      {
        index: 0,
        finish_reason: finishOf(answer),
        logprobs: null,
        message: {
          role: 'assistant',
          content: answer.say || null,
          refusal: null,
          ...(answer.calls.length > 0 && { tool_calls: answer.calls.map(callOf) }),
        },
      },
    ],
    usage: usageOf(answer),
  }
}

const callOf = ({ id, tool, arguments: args }: ScriptedAnswer['calls'][number]): ChatCompletionMessageToolCall => ({
  id,
  type: 'function',
  function: { name: tool, arguments: args },
})

/** The same turn as a stream: role, text in pieces, tool calls in pieces, the reason for the end, the usage. */
export function* chatEvents(answer: ScriptedAnswer): Generator<string> {
  for (const chunk of chatChunks(answer)) yield eventText(chunk)
  yield 'data: [DONE]\n\n'
}

function* chatChunks(answer: ScriptedAnswer): Generator<ChatCompletionChunk> {
  yield chunk(answer, { role: 'assistant', content: '' })
  for (const content of pieces(answer.say)) yield chunk(answer, { content })
  for (const [index, call] of answer.calls.entries()) {
    const { id, tool: name } = call
    yield chunk(answer, { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    for (const part of pieces(call.arguments)) {
      yield chunk(answer, { tool_calls: [{ index, function: { arguments: part } }] })
    }
  }
  yield { ...chunk(answer, {}), choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(answer) }] }
  yield { ...chunk(answer, {}), choices: [], usage: usageOf(answer) }
}

function chunk(answer: ScriptedAnswer, delta: ChatCompletionChunk.Choice.Delta): ChatCompletionChunk {
  return {
    id: answer.id,
    object: 'chat.completion.chunk',
    created: answer.created,
    model: answer.model,
    system_fingerprint: answer.note,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
  }
}

const finishOf = (answer: ScriptedAnswer) => (answer.calls.length > 0 ? 'tool_calls' : 'stop')

const usageOf = ({ usage: { input, output } }: ScriptedAnswer) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})
