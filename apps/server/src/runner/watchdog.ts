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

  elapsedMs(): number {
    return this.#clock.monotonic() - this.#started
  }

  /** Runs until the stopper was used, by this watchdog or by somebody else, or until `done` aborts. */
  async watch(stopper: Stopper, done: AbortSignal): Promise<void> {
    const end = AbortSignal.any([done, stopper.signal])
    while (!end.aborted) {
      const now = this.#clock.monotonic()
      const wallLeft = this.#started + this.#limits.wallClockMs - now
      const silenceLeft = this.#silencePaused > 0 ? Infinity : this.#lastActivity + this.#limits.silenceMs - now
      if (wallLeft <= 0) return stopper.stop({ stop: 'timeout', reason: 'wall_clock' })
      if (silenceLeft <= 0) return stopper.stop({ stop: 'timeout', reason: 'silence' })
      await this.#clock.sleep(Math.min(wallLeft, silenceLeft, this.#limits.silenceMs), end)
    }
  }
}
