import { eventText, pieces, type ScriptedAnswer } from './scripted-answer.ts'

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown }

/** A turn as Anthropic's messages API gives it. */
export function message(answer: ScriptedAnswer): object {
  return {
    ...head(answer),
    content: blocksOf(answer),
    stop_reason: stopOf(answer),
    usage: { ...inputOf(answer), output_tokens: answer.usage.output },
  }
}

/** The same turn as a stream: the message without its blocks, each block in pieces, the reason for the end. */
export function* messageEvents(answer: ScriptedAnswer): Generator<string> {
  const start = { ...head(answer), content: [], stop_reason: null, usage: { ...inputOf(answer), output_tokens: 1 } }
  yield event('message_start', { message: start })
  for (const [index, block] of blocksOf(answer).entries()) {
    const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
    yield event('content_block_start', { index, content_block: empty })
    for (const delta of deltasOf(block)) yield event('content_block_delta', { index, delta })
    yield event('content_block_stop', { index })
  }
  const delta = { stop_reason: stopOf(answer), stop_sequence: null }
  yield event('message_delta', { delta, usage: { ...inputOf(answer), output_tokens: answer.usage.output } })
  yield event('message_stop', {})
}

const event = (type: string, data: object): string => eventText({ type, ...data }, type)

const head = ({ id, model }: ScriptedAnswer) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
})

/** A message always has at least one block. */
function blocksOf({ say, calls }: ScriptedAnswer): Block[] {
  const text: Block[] = say || calls.length === 0 ? [{ type: 'text', text: say }] : []
  return [
    ...text,
    ...calls.map((call): Block => ({
      type: 'tool_use',
      id: call.id,
      name: call.tool,
      input: JSON.parse(call.arguments),
    })),
  ]
}

function deltasOf(block: Block): object[] {
  if (block.type === 'text') return pieces(block.text).map((text) => ({ type: 'text_delta', text }))
  return pieces(JSON.stringify(block.input)).map((part) => ({ type: 'input_json_delta', partial_json: part }))
}

const stopOf = ({ calls }: ScriptedAnswer) => (calls.length > 0 ? 'tool_use' : 'end_turn')

const inputOf = ({ usage }: ScriptedAnswer) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
})
