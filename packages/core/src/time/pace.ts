/**
 * Limits for something that comes in bursts: the first `atOnce` times without a wait, then once in `stepMs`. Idle time
 * restores the first ones, one in each `stepMs`.
 */
export type PaceBounds = { atOnce: number; stepMs: number }

/** Times are milliseconds of a clock that does not jump. */
export class Pace {
  readonly #bounds: PaceBounds
  /** The time at which all of `atOnce` are free again. */
  #freeAt = -Infinity

  constructor(bounds: PaceBounds) {
    this.#bounds = bounds
  }

  /** Milliseconds until it may be done; 0: now. */
  wait(now: number): number {
    const { atOnce, stepMs } = this.#bounds
    return Math.max(0, this.#freeAt - now - (atOnce - 1) * stepMs)
  }

  /** Counts one now, whether or not it was time. */
  took(now: number): void {
    this.#freeAt = Math.max(this.#freeAt, now) + this.#bounds.stepMs
  }
}
