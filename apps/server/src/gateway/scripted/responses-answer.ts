import { eventText, pieces, type ScriptedAnswer } from './scripted-answer.ts'

type Item = Record<string, unknown> & { id: string }
type Event = Record<string, unknown> & { type: string }

/** A turn as OpenAI's responses API gives it. */
export const responseObject = (answer: ScriptedAnswer): object => ({
  ...head(answer, 'completed'),
  output: itemsOf(answer).map(({ item }) => item),
  usage: usageOf(answer),
})

/** The same turn as a stream: the response without output, each item in pieces and as a whole, the response. */
export function* responseEvents(answer: ScriptedAnswer): Generator<string> {
  let number = 0
  for (const event of eventsOf(answer)) yield eventText({ ...event, sequence_number: number++ }, event.type)
}

function* eventsOf(answer: ScriptedAnswer): Generator<Event> {
  const begun = { ...head(answer, 'in_progress'), output: [], usage: null }
  yield { type: 'response.created', response: begun }
  yield { type: 'response.in_progress', response: begun }
  for (const [index, { item, empty, deltas }] of itemsOf(answer).entries()) {
    yield { type: 'response.output_item.added', output_index: index, item: empty }
    for (const delta of deltas) yield { ...delta, item_id: item.id, output_index: index }
    yield { type: 'response.output_item.done', output_index: index, item }
  }
  yield { type: 'response.completed', response: responseObject(answer) }
}

const head = ({ id, created, model, note }: ScriptedAnswer, status: 'completed' | 'in_progress') => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: created,
  status,
  model,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: { note },
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
})

type Built = { item: Item; empty: Item; deltas: Event[] }

function itemsOf(answer: ScriptedAnswer): Built[] {
  const said = answer.say || answer.calls.length === 0 ? [messageItem(answer)] : []
  return [...said, ...answer.calls.map(callItem)]
}

function messageItem({ id, say }: ScriptedAnswer): Built {
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
  const item = { id: `msg_${id}`, type: 'message', role: 'assistant' }
  return {
    item: { ...item, status: 'completed', content: [part(say)] },
    empty: { ...item, status: 'in_progress', content: [] },
    deltas: [
      { type: 'response.content_part.added', content_index: 0, part: part('') },
      ...pieces(say).map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta, logprobs: [] })),
      { type: 'response.output_text.done', content_index: 0, text: say, logprobs: [] },
      { type: 'response.content_part.done', content_index: 0, part: part(say) },
    ],
  }
}

/** Calls of free-text tools have their own event and field names. */
function callItem({ id, tool, namespace, arguments: args, free }: ScriptedAnswer['calls'][number]): Built {
  const [type, field] = free ? ['custom_tool_call', 'input'] : ['function_call', 'arguments']
  const events = free ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
  const item = { id: `${free ? 'ctc' : 'fc'}_${id}`, type, call_id: id, name: tool, ...(namespace && { namespace }) }
  return {
    item: { ...item, status: 'completed', [field]: args },
    empty: { ...item, status: 'in_progress', [field]: '' },
    deltas: [
      ...pieces(args).map((delta) => ({ type: `${events}.delta`, delta })),
      { type: `${events}.done`, [field]: args, ...(!free && { name: tool }) },
    ],
  }
}

const usageOf = ({ usage: { input, output } }: ScriptedAnswer) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
})
