import { createParser } from 'eventsource-parser'
import { toolOfBlock, toolOfItem, usesIn, type HostedUses } from '@beadloom/core/gateway/hosted-tools.ts'
import { toolsOfModel } from '@beadloom/core/gateway/searching-models.ts'
import type { TokenUse } from '@beadloom/core/budget/token-use.ts'
import { CHARACTERS_PER_TOKEN } from '@beadloom/core/context/context-meter.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { hasMoreValues } from '@beadloom/core/text/json-values.ts'
import { defaultGatewayBounds } from '../bounds.ts'
import type { Dialect } from '../route.ts'

/** After a longer event, everything is passed on unread: the meter then estimates. This also bounds its memory. */
const LONGEST_EVENT_CHARACTERS = 8 * 1024 ** 2

export const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN)

export type Metered = TokenUse & { known: boolean; hosted?: HostedUses }

/** Reads an answer's token counts as it passes; estimates them from characters if it reports none. */
export class UsageMeter {
  /** Readable events so far. A stream that ends without any was not an answer. */
  events = 0
  /** The error that the endpoint reported inside its stream. */
  error: string | null = null

  #dialect: Dialect
  #requestCharacters: number
  #characters = 0
  #input: number | null = null
  #output: number | null = null
  /** Null: the endpoint does not say. */
  #cached: number | null = null
  #written = 0
  #reasoning: number | null = null
  /** The uses of the endpoint's own tools: its own count, and those seen in the answer. */
  #reported: HostedUses = {}
  #seen: HostedUses = {}
  #searches: boolean
  #mostValues: number
  #blind = false
  #decoder = new TextDecoder()
  #parser = createParser({
    maxBufferSize: LONGEST_EVENT_CHARACTERS,
    onEvent: ({ data }) => this.#readEvent(data),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') this.#blind = true
    },
  })

  /**
   * `model`: its own tools count once, if the answer does not say how often they ran. `mostValues`: an event with more is
   * passed on unread, and its characters are counted.
   */
  constructor(
    dialect: Dialect,
    requestCharacters: number,
    { model = '', mostValues = defaultGatewayBounds.requestValues }: { model?: string; mostValues?: number } = {},
  ) {
    this.#dialect = dialect
    this.#mostValues = mostValues
    this.#searches = toolsOfModel(model).includes('web_search')
    this.#requestCharacters = requestCharacters
  }

  /** Takes the next bytes of a streamed answer. */
  feed(chunk: Uint8Array): void {
    if (this.#blind) this.#characters += chunk.byteLength
    else this.#parser.feed(this.#decoder.decode(chunk, { stream: true }))
  }

  /** Takes an answer that came in one piece. */
  whole(answer: Record<string, unknown>): void {
    this.#readUsage(answer)
    this.#readWhole(answer)
    this.#characters = textLength(answer['choices'] ?? answer['output'] ?? answer['content'])
  }

  read(): Metered {
    const hosted = this.#hosted()
    const input = this.#input ?? estimateTokens(this.#requestCharacters)
    const output = this.#output ?? estimateTokens(this.#characters)
    return {
      input,
      output,
      ...(this.#cached !== null && { cached: Math.min(this.#cached, input) }),
      ...(this.#written > 0 && { cacheWrites: Math.min(this.#written, input) }),
      ...(this.#reasoning !== null && { reasoning: Math.min(this.#reasoning, output) }),
      known: this.#input !== null && this.#output !== null,
      ...(Object.keys(hosted).length > 0 && { hosted }),
    }
  }

  #readEvent(data: string): void {
    if (hasMoreValues(data, this.#mostValues)) {
      this.events++
      this.#characters += data.length
      return
    }
    const event = parseEvent(data)
    if (!event) return
    this.events++
    const error = event['error'] ?? (event['type'] === 'error' ? event : null)
    if (isObject(error) && typeof error['message'] === 'string') this.error = error['message']
    this.#readUsage(event)
    this.#readPart(event)
    this.#characters += textLength(event['choices'] ?? event['delta'])
  }

  /** The endpoint's own count wins; without one, the uses seen in the answer count. */
  #hosted(): HostedUses {
    return { ...(this.#searches && { web_search: 1 }), ...this.#seen, ...this.#reported }
  }

  #readPart(event: Record<string, unknown>): void {
    const { type, item, content_block: block, choices } = event
    if (type === 'response.output_item.done') this.#see(item)
    if (type === 'content_block_start') this.#see(block)
    if (this.#dialect === 'chat') this.#seeChoices(choices)
  }

  #readWhole({ output, content, choices }: Record<string, unknown>): void {
    for (const part of [output, content].flatMap((some) => (Array.isArray(some) ? some : []))) this.#see(part)
    if (this.#dialect === 'chat') this.#seeChoices(choices)
  }

  #see(part: unknown): void {
    if (!isObject(part)) return
    const tool = toolOfItem(part['type']) ?? toolOfBlock(part['type'], part['name'])
    if (tool !== null) this.#seen[tool] = (this.#seen[tool] ?? 0) + 1
  }

  /** Chat completions show a search only by the addresses that it found. */
  #seeChoices(choices: unknown): void {
    if (!Array.isArray(choices)) return
    for (const choice of choices) {
      const said: unknown = isObject(choice) ? (choice['delta'] ?? choice['message']) : null
      const notes = isObject(said) ? said['annotations'] : null
      if (Array.isArray(notes) && notes.some((note) => isObject(note) && note['type'] === 'url_citation'))
        this.#seen.web_search = 1
    }
  }

  #readUsage(event: Record<string, unknown>): void {
    const holder = this.#dialect === 'chat' ? event : (event['response'] ?? event['message'] ?? event)
    const usage = isObject(holder) ? holder['usage'] : null
    if (!isObject(usage)) return
    const ran = usage['server_tool_use']
    if (isObject(ran)) this.#reported = { ...this.#reported, ...usesIn(ran) }
    const queries = count(usage['num_search_queries'])
    if (queries) this.#reported = { ...this.#reported, web_search: queries }
    if (this.#dialect === 'chat') {
      this.#input = count(usage['prompt_tokens']) ?? this.#input
      this.#output = count(usage['completion_tokens']) ?? this.#output
      this.#cached = detail(usage, 'prompt_tokens_details', 'cached_tokens') ?? this.#cached
      this.#reasoning = detail(usage, 'completion_tokens_details', 'reasoning_tokens') ?? this.#reasoning
      return
    }
    const input = count(usage['input_tokens'])
    if (input !== null) {
      // Anthropic counts cached input in addition to `input_tokens`; the others include it there.
      const written = count(usage['cache_creation_input_tokens'])
      const read = count(usage['cache_read_input_tokens'])
      const beside = (written ?? 0) + (read ?? 0)
      const within = detail(usage, 'input_tokens_details', 'cached_tokens')
      this.#input = input + beside
      this.#written = written ?? 0
      this.#cached = written === null && read === null && within === null ? null : beside + (within ?? 0)
    }
    this.#reasoning = detail(usage, 'output_tokens_details', 'reasoning_tokens') ?? this.#reasoning
    // The output count of Anthropic's first event is a placeholder; only later events have the sum.
    if (event['type'] !== 'message_start') this.#output = count(usage['output_tokens']) ?? this.#output
  }
}

const detail = (usage: Record<string, unknown>, holder: string, key: string): number | null => {
  const inner = usage[holder]
  return isObject(inner) ? count(inner[key]) : null
}

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

function parseEvent(data: string): Record<string, unknown> | null {
  try {
    const event: unknown = JSON.parse(data)
    return isObject(event) ? event : null
  } catch {
    return null // `[DONE]`, or garbage
  }
}

/** Total length of all strings inside. With its own stack: hostile JSON nests deeper than recursion allows. */
function textLength(value: unknown): number {
  let sum = 0
  const rest = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next === 'string') sum += next.length
    else if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) rest.push(inner)
  }
  return sum
}
