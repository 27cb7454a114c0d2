import type { Clock } from '../process/clock.ts'
import type { Stopper } from './stop.ts'

/** Read each time, so both may change. */
export type Limits = { readonly wallClockMs: number; readonly silenceMs: number }

/** Used-up time, which a restart of the server must not give back. */
export type Elapsed = {
  /** Milliseconds that earlier servers have used up. */
  elapsedMs: number
  /** Stores them; a store that cannot write is its own problem. */
  note: (elapsedMs: number) => void
}

/** A crash gives an execution at most this much more time. */
const NOTE_MS = 15_000

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
  /** Holds by its phases or its remote, and by calls at a limit: each ends only its own. */
  #held = false
  #frozen = 0
  readonly #note: Elapsed['note']
  readonly #canHear: () => Promise<boolean>

  /** @param canHear asked before a session counts as silent: agents in sandboxes out of reach may well speak */
  constructor(
    clock: Clock,
    limits: Limits,
    { elapsedMs, note }: Elapsed = { elapsedMs: 0, note: () => {} },
    canHear: () => Promise<boolean> = async () => true,
  ) {
    this.#canHear = canHear
    this.#clock = clock
    this.#limits = limits
    this.#lastActivity = clock.monotonic()
    this.#started = this.#lastActivity - elapsedMs
    this.#note = note
  }

  /** Output, a model call, a push: anything that shows life. */
  activity = (): void => {
    this.#lastActivity = this.#clock.monotonic()
  }

  /**
   * Silence counts only while a session runs and is heard; building an image, publishing or waiting for the disk is our
   * own time.
   */
  async whileOursToWait<T>(work: () => Promise<T>): Promise<T> {
    this.#silencePaused++
    try {
      return await work()
    } finally {
      this.#silencePaused--
      this.activity()
    }
  }

  /** From now on nothing of the execution runs, and its deadline comes no nearer. */
  hold(): void {
    this.#held = true
    this.#stopOrGo()
  }

  /** The deadline counts again, with its remaining time. */
  resume(): void {
    this.#held = false
    this.#stopOrGo()
  }

  /** A call waits for a person: neither silence nor time of the execution's, even while its other agents work. */
  async whileFrozen<T>(work: () => Promise<T>): Promise<T> {
    this.#frozen++
    this.#stopOrGo()
    try {
      return await this.whileOursToWait(work)
    } finally {
      this.#frozen--
      this.#stopOrGo()
    }
  }

  #stopOrGo(): void {
    const now = this.#clock.monotonic()
    if (this.#held || this.#frozen > 0) this.#heldSince ??= now
    else if (this.#heldSince !== null) {
      this.#heldMs += now - this.#heldSince
      this.#heldSince = null
    }
  }

  elapsedMs(): number {
    return (this.#heldSince ?? this.#clock.monotonic()) - this.#started - this.#heldMs
  }

  /** False: something came in the last moment, or nothing could have come. Then the limit starts again. */
  async #wasSilent(): Promise<boolean> {
    const since = this.#lastActivity
    if (!(await this.#canHear())) this.activity()
    return this.#lastActivity === since && this.#silencePaused === 0
  }

  /** Runs until the stopper is used, by this watchdog or by somebody else, or until `done` aborts. */
  async watch(stopper: Stopper, done: AbortSignal): Promise<void> {
    const end = AbortSignal.any([done, stopper.signal])
    let noted = -Infinity
    while (!end.aborted) {
      const now = this.#clock.monotonic()
      if (now - noted >= NOTE_MS) {
        this.#note(this.elapsedMs())
        noted = now
      }
      const wallLeft = this.#heldSince === null ? this.#limits.wallClockMs - this.elapsedMs() : Infinity
      const silenceLeft = this.#silencePaused > 0 ? Infinity : this.#lastActivity + this.#limits.silenceMs - now
      if (wallLeft <= 0) return stopper.stop({ stop: 'timeout', reason: 'wall_clock' })
      if (silenceLeft <= 0) {
        if (await this.#wasSilent())
          return end.aborted ? undefined : stopper.stop({ stop: 'timeout', reason: 'silence' })
        continue
      }
      await this.#clock.sleep(Math.min(wallLeft, silenceLeft, this.#limits.silenceMs, NOTE_MS), end)
    }
    this.#note(this.elapsedMs())
  }
}
