import type { Clock } from '../process/clock.ts'
import { inTime } from '../process/within.ts'

/** The time that one call has used up; the wait for a model that is cooling down does not count. */
export class CallTime {
  #clock: Clock
  #started: number
  #pausedMs = 0
  #pausedSince: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
    this.#started = clock.monotonic()
  }

  async whilePaused<T>(work: () => Promise<T>): Promise<T> {
    this.#pausedSince = this.#clock.monotonic()
    try {
      return await work()
    } finally {
      this.#pausedMs += this.#clock.monotonic() - this.#pausedSince
      this.#pausedSince = null
    }
  }

  /** Waits for `work`, and calls `late` once when `totalMs` are used up; `late` has to make `work` end. */
  async within<T>(totalMs: number, late: () => void, work: () => Promise<T>): Promise<T> {
    const done = new AbortController()
    void this.#watch(totalMs, late, done.signal)
    try {
      return await work()
    } finally {
      done.abort(inTime)
    }
  }

  async #watch(totalMs: number, late: () => void, done: AbortSignal): Promise<void> {
    for (let left = totalMs; left > 0; left = totalMs - this.#usedMs()) {
      await this.#clock.sleep(left, done)
      if (done.aborted) return
    }
    late()
  }

  #usedMs(): number {
    const now = this.#clock.monotonic()
    const paused = this.#pausedMs + (this.#pausedSince === null ? 0 : now - this.#pausedSince)
    return now - this.#started - paused
  }
}
