import type { TimeoutReason } from '@beadloom/core/records/execution.ts'
import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { Clock } from '../process/clock.ts'
import { EarlyWait } from './early-wait.ts'

/** Why an execution is stopped from outside; the first reason wins and is recorded before any signal is sent. */
export type StopReason =
  | { stop: 'cancelled' }
  | { stop: 'timeout'; reason: TimeoutReason }
  /** A limit of tokens is reached, and a call was refused for it. */
  | { stop: 'budget'; limit: UsedUp }
  /** A person has paused it, and nobody has resumed it in time. */
  | { stop: 'pause_over'; pausedMs: number }
  /** Its model answered none of very many calls in a row; `problem` is the last one's. */
  | { stop: 'unanswered'; problem: string }
  /** The server is stopping: executions continue without it, and the next server settles them. Nothing is stopped. */
  | { stop: 'detach' }

/**
 * An `AbortController` whose reason is typed. `note` gets the reason before anybody acts on it, so that it outlives the
 * server: an exit code does not name the sender of a signal. Letting go is possible at any time, even during a stop.
 */
export class Stopper {
  #controller = new AbortController()
  #letGo = new AbortController()
  #abandoned = new AbortController()
  readonly #stopAgain = new EarlyWait()
  readonly #note: (reason: StopReason) => void

  constructor(note: (reason: StopReason) => void = () => {}) {
    this.#note = note
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }
  get reason(): StopReason | null {
    return this.#controller.signal.aborted ? (this.#controller.signal.reason as StopReason) : null
  }
  get detached(): boolean {
    return this.#letGo.signal.aborted
  }
  /** Aborts when the server stops. */
  get letGo(): AbortSignal {
    return this.#letGo.signal
  }
  /** Aborts when a person gives up waiting for a sandbox that cannot be stopped: it is left to the engine. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal
  }
  abandon(): void {
    this.#abandoned.abort()
  }
  /** Waits before another try to stop; another request to stop cuts the wait short. */
  pauseBeforeStopAgain(clock: Clock, ms: number, enough: AbortSignal): Promise<void> {
    return this.#stopAgain.wait(clock, ms, enough)
  }
  stop(reason: StopReason): void {
    this.#stopAgain.cutShort()
    if (reason.stop === 'detach') this.#letGo.abort()
    else if (!this.signal.aborted) this.#note(reason)
    this.#controller.abort(reason)
  }
}

/** Thrown between two steps of an execution when it was stopped meanwhile; carries nothing, `Stopper` knows why. */
export class Stopped extends Error {
  override name = 'Stopped'
}

export function throwIfStopped(stopper: Pick<Stopper, 'signal'>): void {
  if (stopper.signal.aborted) throw new Stopped()
}
