import type { Clock } from '../process/clock.ts'

/** A wait that somebody may cut short. */
export class EarlyWait {
  #early = new AbortController()

  /** Resolves after `ms`, when `stop` aborts, or when it is cut short. */
  async wait(clock: Clock, ms: number, stop: AbortSignal): Promise<void> {
    this.#early = new AbortController()
    await clock.sleep(ms, AbortSignal.any([stop, this.#early.signal]))
  }

  /** Ends the present wait, if there is one. */
  cutShort(): void {
    this.#early.abort()
  }
}
