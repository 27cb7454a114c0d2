/** What one line of a known command line's JSON output means; everything else in it is only output. */
export type Recognised = {
  /** The agent's own text in this line. */
  said: string | null
  /** The line says that the agent has ended, and how. */
  over: 'success' | 'failed' | null
  /** The line only repeats what a later one has in full. Kept, a long answer would fill the record with its own past. */
  repeats: boolean
}

type Json = Record<string, unknown>
type Format = {
  name: string
  is: (line: Json) => boolean
  said: (line: Json) => string | null
  over?: (line: Json) => 'success' | 'failed' | null
  repeats?: (line: Json) => boolean
}

const formats: Format[] = [
  {
    name: 'Codex: exec --json',
    is: ({ type }) => /^(?:thread|turn|item)\.[a-z_.]+$/.test(String(type)),
    said: ({ type, item }) =>
      type === 'item.completed' && at(item, 'type') === 'agent_message' ? asText(at(item, 'text')) : null,
  },
  {
    name: 'Claude Code: --output-format stream-json',
    is: ({ type, subtype, message }) =>
      ((type === 'assistant' || type === 'user') && isObject(message)) ||
      ((type === 'system' || type === 'result') && typeof subtype === 'string'),
    // What a sub-agent says is not the agent's own word.
    said: ({ type, message, parent_tool_use_id: parent }) =>
      type === 'assistant' && !parent ? textBlocks(at(message, 'content')) : null,
    over: ({ type, is_error: failed }) => (type === 'result' ? (failed === true ? 'failed' : 'success') : null),
  },
  {
    name: 'opencode: run --format json',
    is: ({ type, part }) =>
      ['step_start', 'text', 'tool_use', 'step_finish', 'reasoning'].includes(String(type)) && isObject(part),
    said: ({ type, part }) => (type === 'text' ? asText(at(part, 'text')) : null),
  },
  {
    name: 'pi: --mode json',
    is: ({ type }) =>
      /^(?:session|agent_(?:start|end)|turn_(?:start|end)|message_(?:start|update|end)|tool_execution_[a-z]+)$/.test(
        String(type),
      ),
    said: ({ type, message }) =>
      type === 'message_end' && at(message, 'role') === 'assistant' ? textBlocks(at(message, 'content')) : null,
    repeats: ({ type }) => type === 'message_update',
  },
]

/** Null when the line is no JSON that a known command line writes. */
export function recognise(line: string): Recognised | null {
  if (!line.startsWith('{')) return null
  const value = parse(line)
  if (!isObject(value)) return null
  const format = formats.find(({ is }) => is(value))
  return format
    ? { said: format.said(value), over: format.over?.(value) ?? null, repeats: format.repeats?.(value) ?? false }
    : null
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined)
const asText = (value: unknown): string | null => (typeof value === 'string' && value.trim() ? value : null)

function textBlocks(content: unknown): string | null {
  if (!Array.isArray(content)) return asText(content)
  const texts = content.filter((block) => at(block, 'type') === 'text').map((block) => at(block, 'text'))
  return asText(texts.filter((text) => typeof text === 'string').join('\n'))
}
