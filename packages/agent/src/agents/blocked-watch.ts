import type { EventBody } from '@beadloom/core/log/event-line.ts'
import type { EventWriter } from '../output/event-writer.ts'
import type { Clock } from '../process/clock.ts'

/** What an agent does, as its record shows it. What it says and prints is no work: a spinner turns for ever. */
const working: ReadonlySet<EventBody['type']> = new Set(['step', 'tool_call', 'tool_result', 'usage', 'sub_agent'])

/**
 * An agent that has said BLOCKED has nothing left to do, and some of them sit there until their deadline. It may stay
 * for a grace, which each further piece of work begins anew; saying it again does not.
 */
export class BlockedWatch {
  readonly #clock: Clock
  readonly #graceMs: number
  readonly #enough = new AbortController()
  #waiting: AbortController | null = null

  constructor(writer: Pick<EventWriter, 'onWrite'>, clock: Clock, graceMs: number) {
    this.#clock = clock
    this.#graceMs = graceMs
    writer.onWrite((body) => {
      if (this.#waiting && working.has(body.type)) this.#begin()
    })
  }

  /** Aborts when the grace is over. */
  get enough(): AbortSignal {
    return this.#enough.signal
  }

  said(): void {
    if (!this.#waiting) this.#begin()
  }

  /** The agent has ended, or a person's stop came first. */
  end(): void {
    this.#waiting?.abort()
    this.#waiting = null
  }

  #begin(): void {
    this.#waiting?.abort()
    const waiting = new AbortController()
    this.#waiting = waiting
    void this.#clock.sleep(this.#graceMs, waiting.signal).then(() => waiting.signal.aborted || this.#enough.abort())
  }
}
