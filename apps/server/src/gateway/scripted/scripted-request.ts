import { badRequest, type Problem } from '../problem.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { Dialect } from '../route.ts'

type Json = Record<string, unknown>

/** A tool that a request offers. `schema` describes its arguments; null when it takes free text. */
export type OfferedTool = { name: string; description: string; schema: Json | null; namespace: string | null }

/** One step of the conversation, oldest first. `calls` are the ids of the tool calls that the assistant made in it. */
export type Entry =
  | { from: 'system' | 'user'; text: string }
  | { from: 'assistant'; text: string; calls: string[] }
  | { from: 'result'; call: string; text: string }

/** The parts of a request that the scripted model reads, in one form for all three APIs. */
export type ScriptedRequest = {
  entries: Entry[]
  tools: OfferedTool[]
  /** The schema of the document that it asks for; null: it asks for none. */
  form: { schema: Json } | null
  streaming: boolean
  /** The longest answer that it accepts, in tokens. */
  longest: number | null
  /** Length of messages and tools together. */
  characters: number
}

export function readRequest(dialect: Dialect, body: Json): ScriptedRequest | { failed: Problem } {
  const from = dialect === 'responses' ? 'input' : 'messages'
  const given = body[from]
  const items: unknown = typeof given === 'string' ? [{ role: 'user', content: given }] : given
  if (!Array.isArray(items)) return { failed: badRequest(`has no "${from}"`) }
  const entries = dialect === 'responses' ? items.reduce(addItem, []) : items.flatMap(entriesOf)
  const head = body[dialect === 'responses' ? 'instructions' : 'system']
  if (head !== undefined) entries.unshift({ from: 'system', text: textIn(head) })
  const late = items.flatMap((item) => (isObject(item) && item['type'] === 'additional_tools' ? [item['tools']] : []))
  return {
    entries,
    tools: [body['tools'], ...late].flatMap((tools) => toolsIn(tools, null)),
    form: formIn(body),
    streaming: body['stream'] === true,
    longest:
      ['max_tokens', 'max_completion_tokens', 'max_output_tokens'].map((key) => body[key]).find(isNumber) ?? null,
    characters: JSON.stringify([head ?? null, items, body['tools'] ?? null]).length,
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number'
const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** For chat completions and Anthropic's messages. */
function entriesOf(message: unknown): Entry[] {
  if (!isObject(message)) return []
  const { role, content } = message
  const blocks = Array.isArray(content) ? content.filter(isObject) : []
  if (role === 'tool') return [{ from: 'result', call: stringOf(message['tool_call_id']), text: textIn(content) }]
  if (role === 'assistant') {
    const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject) : []
    const made = [...calls, ...blocks.filter(({ type }) => type === 'tool_use')]
    return [{ from: 'assistant', text: textIn(content), calls: made.map(({ id }) => stringOf(id)) }]
  }
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const text = textIn(content)
  return [
    ...results.map((block): Entry => ({
      from: 'result',
      call: stringOf(block['tool_use_id']),
      text: textIn(block['content']),
    })),
    ...(text || results.length === 0
      ? [{ from: role === 'user' ? ('user' as const) : ('system' as const), text }]
      : []),
  ]
}

/** Adds an item of responses, where an assistant's text, reasoning and calls are separate items of one turn. */
function addItem(entries: Entry[], item: unknown): Entry[] {
  if (!isObject(item)) return entries
  const { type = 'message', role } = item
  const call = stringOf(item['call_id'])
  if (String(type).endsWith('_output')) return [...entries, { from: 'result', call, text: textIn(item['output']) }]
  const text = textIn(item['content'])
  if (type === 'message' && role !== 'assistant')
    return [...entries, { from: role === 'user' ? 'user' : 'system', text }]
  if (type === 'message' || type === 'reasoning' || String(type).endsWith('_call')) {
    const last = entries.at(-1)
    const said = { text: type === 'message' ? text : '', calls: call ? [call] : [] }
    if (last?.from !== 'assistant') return [...entries, { from: 'assistant', ...said }]
    return [...entries.slice(0, -1), { ...last, text: last.text + said.text, calls: [...last.calls, ...said.calls] }]
  }
  return entries
}

/** The text of a message in any of the APIs' forms: a string, or blocks with texts. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter(isObject)
    .map(({ text }) => stringOf(text))
    .filter((text) => text !== '')
    .join('\n')
}

/** The responses API groups tools in namespaces; chat puts a tool under `function` or `custom`. */
function toolsIn(tools: unknown, namespace: string | null): OfferedTool[] {
  if (!Array.isArray(tools)) return []
  return tools.filter(isObject).flatMap((tool) => {
    if (tool['type'] === 'namespace') return toolsIn(tool['tools'], stringOf(tool['name']))
    const own = [tool['function'], tool['custom']].find(isObject) ?? tool
    const name = stringOf(own['name'])
    if (!name) return []
    const schema = [own['parameters'], own['input_schema']].find(isObject) ?? null
    const free = tool['type'] === 'custom' && own['input_schema'] === undefined
    return [{ name, description: stringOf(own['description']), schema: free ? null : (schema ?? {}), namespace }]
  })
}

/** Reads `response_format` of chat, `text.format` of responses, `output_config.format` (or older) of messages. */
function formIn(body: Json): ScriptedRequest['form'] {
  const inner = (key: string) => (isObject(body[key]) ? body[key]['format'] : undefined)
  const format = [body['response_format'], inner('text'), inner('output_config'), body['output_format']].find(isObject)
  if (format?.['type'] !== 'json_schema') return null
  const holder = isObject(format['json_schema']) ? format['json_schema'] : format
  return { schema: isObject(holder['schema']) ? holder['schema'] : {} }
}
