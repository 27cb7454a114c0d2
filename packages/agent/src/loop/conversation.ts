import { isObject } from '@beadloom/core/text/json-object.ts'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'

/**
 * When a conversation is longer than this many characters (about 150,000 tokens of code), the results of old tool calls
 * are shortened. If a model with a smaller window complains, the limit is halved.
 */
const MAX_CHARACTERS = 450_000
/** The model works with the latest results. */
const KEPT_RESULTS = 6
/** Short results cost little and often contain the main point. */
const SHORT_RESULT = 500
/** Shortened to this part of the limit, so that the cached beginning of the prompt is not lost at every step. */
const SHORTENED_TO = 0.6

/** The messages of one session: the system prompt and the order's prompt stay first and whole. */
export class Conversation {
  readonly messages: ChatCompletionMessageParam[]
  /** Characters of system prompt and prompt alone. */
  readonly startLength: number
  readonly #prompt: string
  #limit: number

  constructor(system: string, prompt: string, limit = MAX_CHARACTERS) {
    this.messages = [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ]
    this.startLength = system.length + prompt.length
    this.#prompt = prompt
    this.#limit = limit
  }

  /** All of it, for `resume`. */
  text(): string {
    return JSON.stringify(this.messages)
  }

  /** Continues an earlier one, of which this has the system prompt already. False: it cannot be read. */
  resume(text: string, next: string): boolean {
    const earlier = messagesIn(text)
    if (earlier === null) return false
    this.messages.splice(1, Infinity, ...earlier.slice(1))
    this.add({ role: 'user', content: next })
    return true
  }

  /** In characters. */
  get length(): number {
    return this.messages.reduce((sum, message) => sum + lengthOf(message), 0)
  }

  /** Whether nothing was said since it began, or began anew. */
  get isFresh(): boolean {
    return this.messages.length <= 2
  }

  /** Begins anew with the task and a handover. A question without an answer yet is kept. */
  restart(handover: string): void {
    const last = this.messages.at(-1)
    const open = !this.isFresh && last?.role === 'user' && typeof last.content === 'string' ? `\n\n${last.content}` : ''
    const content = `${this.#prompt}\n\n## Handover from your earlier context\n${handover}${open}`
    this.messages.splice(1, Infinity, { role: 'user', content })
  }

  /** Returns how many results were shortened. */
  add(message: ChatCompletionMessageParam): number {
    this.messages.push(message)
    return this.length > this.#limit ? this.#shorten(this.#unseen()) : 0
  }

  /** Replaces a question that was refused, since some servers refuse two questions in a row. */
  askInstead(content: string): void {
    const last = this.messages.at(-1)
    if (last?.role === 'user') last.content = content
    else this.add({ role: 'user', content })
  }

  /** Shortens it for a model that calls it too long. False when nothing is left to shorten. */
  halve(): boolean {
    this.#limit = Math.floor(Math.min(this.#limit, this.length) / 2)
    return this.#shorten(this.#unseen()) > 0 || this.#shorten(KEPT_RESULTS) > 0
  }

  /**
   * The number of results to keep: those of the latest turn, which no answer has used yet, and at least `KEPT_RESULTS`.
   */
  #unseen(): number {
    const asked = this.messages.findLastIndex(({ role }) => role === 'assistant')
    const latest = this.messages.slice(asked + 1).filter(({ role }) => role === 'tool')
    return Math.max(KEPT_RESULTS, latest.length)
  }

  /** Shortens old results; the last `kept` stay as they are. */
  #shorten(kept: number): number {
    const results = this.messages.filter((message) => message.role === 'tool')
    let length = this.length
    let shortened = 0
    for (const result of results.slice(0, -kept)) {
      if (length <= this.#limit * SHORTENED_TO) break
      if (typeof result.content !== 'string' || result.content.length <= SHORT_RESULT) continue
      const stub = `[${result.content.length.toLocaleString('en-US')} characters of an old result were removed; repeat the call if they matter]`
      length -= result.content.length - stub.length
      result.content = stub
      shortened += 1
    }
    return shortened
  }
}

/** The container's own file, which its commands can change: then it is only what its agent believes. */
function messagesIn(text: string): ChatCompletionMessageParam[] | null {
  try {
    const messages: unknown = JSON.parse(text)
    const isWhole =
      Array.isArray(messages) && messages.length > 1 && messages.every((one) => isObject(one) && 'role' in one)
    return isWhole ? (messages as ChatCompletionMessageParam[]) : null
  } catch {
    return null
  }
}

function lengthOf(message: ChatCompletionMessageParam): number {
  const content = typeof message.content === 'string' ? message.content.length : 0
  if (message.role !== 'assistant') return content
  const calls =
    message.tool_calls?.map((call) =>
      call.type === 'function' ? call.function.name.length + call.function.arguments.length : 0,
    ) ?? []
  return calls.reduce((sum, length) => sum + length, content)
}
