import { tapeOf } from '../text/json-tape.ts'
import { passedBetas } from './betas.ts'
import { chatShape } from './chat-shape.ts'
import type { HostedTool } from './hosted-tools.ts'
import { messagesShape } from './messages-shape.ts'
import { responsesShape } from './responses-shape.ts'
import type { Members } from './shape.ts'
import { plainName, Walk, type Edit, type Refusal } from './walk.ts'

/** The APIs of requests. `count` counts the tokens of `messages`. */
export type RequestApi = 'chat' | 'responses' | 'messages' | 'count'

const shapes: Record<RequestApi, Members> = {
  chat: chatShape,
  responses: responsesShape,
  messages: messagesShape,
  count: messagesShape,
}

/** Members that are an error without tools. The responses API can have tools in its conversation, too. */
const goesWithTools: Record<RequestApi, Record<string, readonly string[]>> = {
  chat: { tools: ['tool_choice', 'parallel_tool_calls'] },
  responses: { tools: [] },
  messages: { tools: ['tool_choice'] },
  count: { tools: ['tool_choice'] },
}

/** `edits`: in the order of the text, none within another. */
export type PassedRequest = { edits: Edit[]; dropped: string[]; refused: Refusal | null }

export type Passing = {
  open: readonly HostedTool[]
  /** Members that the server sets, as JSON. */
  set?: Readonly<Record<string, string>>
}

/**
 * Filters a request for a model's endpoint. Everything that the endpoint would fetch, run, keep or look up is left out,
 * or the request is refused. `text`: a JSON object, with one character a byte or decoded.
 */
export function passRequest(api: RequestApi, text: string, { open, set = {} }: Passing): PassedRequest {
  const walk = new Walk(tapeOf(text), open)
  // If `store` is left out, the endpoint keeps the answer.
  const all = api === 'responses' ? { ...set, store: 'false' } : set
  walk.root(shapes[api], all, goesWithTools[api])
  return { edits: walk.edits, dropped: [...walk.dropped], refused: walk.refused }
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** The headers that an API's endpoint gets, and the parts that were dropped. */
export function passedHeaders(
  api: RequestApi,
  from: Headers,
  open: readonly HostedTool[],
): { headers: Record<string, string>; dropped: string[] } {
  const headers: Record<string, string> = {}
  const dropped: string[] = []
  const textOf = (name: string): string | null => {
    const value = from[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  if (api === 'chat' || api === 'responses') {
    const beta = textOf('openai-beta')
    if (beta === 'responses=experimental') headers['openai-beta'] = beta
    else if (beta !== null) dropped.push(plainName(`beta ${beta}`))
    return { headers, dropped }
  }
  const version = textOf('anthropic-version')
  if (version !== null && /^\d{4}-\d\d-\d\d$/.test(version)) headers['anthropic-version'] = version
  const beta = textOf('anthropic-beta')
  if (beta !== null) {
    const passed = passedBetas(beta.slice(0, LONGEST_HEADER), open)
    if (passed.value !== '') headers['anthropic-beta'] = passed.value
    dropped.push(...passed.dropped.slice(0, MOST_NAMES).map((name) => plainName(`beta ${name}`)))
  }
  return { headers, dropped }
}

const LONGEST_HEADER = 4000
const MOST_NAMES = 50
