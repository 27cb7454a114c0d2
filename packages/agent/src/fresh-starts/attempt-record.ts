import type { AttemptFacts, FailedCall } from '@beadloom/core/execution/fresh-starts/failed-attempt.ts'
import type { EventBody } from '@beadloom/core/log/event-line.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { LoopRecord } from '../loop/loop.ts'
import { cutMiddle } from '@beadloom/core/text/cut-middle.ts'

const MOST_FAILURES = 20
const PROGRESS_LINES = 12
const PROGRESS_CHARACTERS = 160
/** The most characters of each value that a template can show. */
const SHOWN_CHARACTERS = 2000

type Call = { tool: string; arguments: string }

/** The record of an attempt, which remembers how it went. */
export class AttemptRecord implements LoopRecord {
  readonly #record: LoopRecord
  /** Keyed by tool and arguments: if a failed call is repeated and succeeds, its failure is repaired. */
  readonly #failed = new Map<string, FailedCall>()
  readonly #asked = new Map<string, Call>()
  readonly #progress: string[] = []
  /** The thought of the current step, which has called nothing yet. */
  #thought = ''
  #lastThought = ''
  #lastAction = ''
  #observation = ''

  constructor(record: LoopRecord) {
    this.#record = record
  }

  readonly say = (text: string): Promise<void> => {
    this.#thought = cutMiddle(text.trim(), SHOWN_CHARACTERS)
    return this.#record.say(text)
  }

  write(body: EventBody): Promise<void> {
    if (body.type === 'step') this.#thought = ''
    if (body.type === 'tool_call') this.#asked.set(body.call, { tool: body.tool, arguments: body.arguments })
    if (body.type === 'tool_result') this.#observe(body)
    return this.#record.write(body)
  }

  get facts(): Pick<AttemptFacts, 'calls' | 'progress'> {
    return { calls: [...this.#failed.values()], progress: this.#progress }
  }

  /**
   * The last step with a call, because an agent that ends by its own words makes none. Without any call, its last
   * words.
   */
  get lastStep(): { lastThought: string; lastAction: string; observation: string } {
    return {
      lastThought: this.#lastAction === '' ? this.#thought : this.#lastThought,
      lastAction: this.#lastAction,
      observation: this.#observation,
    }
  }

  #observe({ call, tool, ok, text }: Extract<EventBody, { type: 'tool_result' }>): void {
    const args = this.#asked.get(call)?.arguments ?? ''
    this.#asked.delete(call)
    const key = `${tool} ${args}`
    this.#failed.delete(key)
    if (!ok) this.#failed.set(key, { tool, arguments: args, result: text })
    const [oldest] = this.#failed.keys()
    if (this.#failed.size > MOST_FAILURES && oldest !== undefined) this.#failed.delete(oldest)
    this.#progress.push(`${cutMiddle(oneLine(key), PROGRESS_CHARACTERS)}: ${ok ? 'ok' : 'failed'}`)
    if (this.#progress.length > PROGRESS_LINES) this.#progress.shift()
    this.#lastThought = this.#thought
    this.#lastAction = cutMiddle(`${tool}(${args})`, SHOWN_CHARACTERS)
    this.#observation = cutMiddle(text, SHOWN_CHARACTERS)
  }
}
