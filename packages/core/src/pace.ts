/**
 * How often something is done that comes in bursts: the first `atOnce` times without waiting, and from then on once in
 * `stepMs`. Time that passes without any brings the first ones back, one in each `stepMs`.
 */
export type PaceLimits = { atOnce: number; stepMs: number }

/** Times are those of a clock that does not jump, in milliseconds. */
export class Pace {
  readonly #limits: PaceLimits
  /** When all of `atOnce` would be free again. */
  #freeAt = -Infinity

  constructor(limits: PaceLimits) {
    this.#limits = limits
  }

  /** Milliseconds until it may be done; 0: now. */
  wait(now: number): number {
    const { atOnce, stepMs } = this.#limits
    return Math.max(0, this.#freeAt - now - (atOnce - 1) * stepMs)
  }

  /** It is done now, whether it was time or not. */
  took(now: number): void {
    this.#freeAt = Math.max(this.#freeAt, now) + this.#limits.stepMs
  }
}
