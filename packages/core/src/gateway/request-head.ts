import { isObject } from '../text/json-object.ts'

/** The model's role in a request, and its tools. An agent keeps them for its whole conversation; its sub-agents have others. */
export type RequestHead = { role: string; tools: readonly string[] }

/** Characters of a role's beginning. Its end may change, as with the state of the workspace. */
const MOST_OF_A_ROLE = 1000

/** Null: the text is no JSON object. */
export function headOf(text: string): RequestHead | null {
  const request = read(text)
  if (!isObject(request)) return null
  const { system, instructions, tools } = request
  const conversation = listOf(request['messages'] ?? request['input']).filter(isRole)
  const texts = [system, instructions, ...conversation.map(({ content }) => content)].flatMap(textsIn)
  // A short one before it may change from call to call.
  const role = texts.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  return { role: role.slice(0, MOST_OF_A_ROLE), tools: listOf(tools).flatMap(nameOf) }
}

/** Whether a request is from the conversation that began with this head: it may have found more tools since. */
export const isSameHead = (head: RequestHead, { role, tools }: RequestHead): boolean =>
  role === head.role && head.tools.every((name) => tools.includes(name))

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const isRole = (element: unknown): element is { content: unknown } =>
  isObject(element) && (element['role'] === 'system' || element['role'] === 'developer')

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : listOf(value).flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))

function nameOf(tool: unknown): string[] {
  if (!isObject(tool)) return []
  const { name, type } = isObject(tool['function']) ? tool['function'] : tool
  return [String(name ?? type)]
}
