import type { EventBody } from '@beadloom/core/log/event-line.ts'
import type { EventWriter } from '../output/event-writer.ts'
import type { Clock } from '../process/clock.ts'

/** Events that show work. The agent's words and output are no work: a spinner turns for ever. */
const working: ReadonlySet<EventBody['type']> = new Set(['step', 'tool_call', 'tool_result', 'usage', 'sub_agent'])

/**
 * Stops an agent that has said BLOCKED but does not end: some would sit there until their deadline. It may stay for a
 * grace, which each further piece of work restarts; repeating BLOCKED does not.
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

  /** Call it when the agent has ended, or a person has stopped it first. */
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
