import type { Clock } from '../process/clock.ts'
import type { Stopper } from './stop.ts'

export type Limits = { wallClockMs: number; silenceMs: number }

/**
 * Stops an execution that runs too long or is silent too long. Durations are monotonic: a jump of the
 * wall clock moves no deadline.
 */
export class Watchdog {
  #clock: Clock
  #limits: Limits
  #started: number
  #lastActivity: number
  #silencePaused = 0
  #heldSince: number | null = null
  #heldMs = 0

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock
    this.#limits = limits
    this.#started = clock.monotonic()
    this.#lastActivity = this.#started
  }

  /** Output, a model call, a push: anything that shows life. */
  activity = (): void => {
    this.#lastActivity = this.#clock.monotonic()
  }

  /** Silence counts only while a session runs; building an image or publishing is our own time, not the agent's. */
  async whileOursToWait<T>(work: () => Promise<T>): Promise<T> {
    this.#silencePaused++
    try {
      return await work()
    } finally {
      this.#silencePaused--
      this.activity()
    }
  }

  /** Nothing of the execution runs from now on, so that its deadline does not come nearer. */
  hold(): void {
    this.#heldSince ??= this.#clock.monotonic()
  }

  /** The deadline counts again, with what was left of it. */
  goOn(): void {
    if (this.#heldSince === null) return
    this.#heldMs += this.#clock.monotonic() - this.#heldSince
    this.#heldSince = null
  }

  elapsedMs(): number {
    return (this.#heldSince ?? this.#clock.monotonic()) - this.#started - this.#heldMs
  }

  /** Runs until the stopper was used, by this watchdog or by somebody else, or until `done` aborts. */
  async watch(stopper: Stopper, done: AbortSignal): Promise<void> {
    const end = AbortSignal.any([done, stopper.signal])
    while (!end.aborted) {
      const now = this.#clock.monotonic()
      const wallLeft = this.#heldSince === null ? this.#limits.wallClockMs - this.elapsedMs() : Infinity
      const silenceLeft = this.#silencePaused > 0 ? Infinity : this.#lastActivity + this.#limits.silenceMs - now
      if (wallLeft <= 0) return stopper.stop({ stop: 'timeout', reason: 'wall_clock' })
      if (silenceLeft <= 0) return stopper.stop({ stop: 'timeout', reason: 'silence' })
      await this.#clock.sleep(Math.min(wallLeft, silenceLeft, this.#limits.silenceMs), end)
    }
  }
}
