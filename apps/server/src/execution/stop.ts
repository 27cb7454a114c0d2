import type { TimeoutReason } from '@beadloom/core/execution/execution.ts'
import type { UsedUp } from '@beadloom/core/execution/token-budget.ts'

/** Why an execution is stopped from outside; the first reason wins and is recorded before any signal is sent. */
export type StopReason =
  | { stop: 'cancelled' }
  | { stop: 'timeout'; reason: TimeoutReason }
  /** A limit of tokens is reached, and a call was refused for it. */
  | { stop: 'budget'; limit: UsedUp }
  /** Its model answered none of very many calls in a row; `problem` is what the last one met. */
  | { stop: 'unanswered'; problem: string }
  /** The server goes down: what runs goes on without it, and the next server settles it. Nothing is stopped. */
  | { stop: 'detach' }

/**
 * An `AbortController` whose reason is typed. `note` gets the reason before anybody acts on it, so that it outlives the
 * server: an exit code says nothing about who sent the signal. To let go is possible at any time, also of what is being
 * stopped already.
 */
export class Stopper {
  #controller = new AbortController()
  #letGo = new AbortController()
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
  /** Aborts when the server goes down. */
  get letGo(): AbortSignal {
    return this.#letGo.signal
  }
  stop(reason: StopReason): void {
    if (reason.stop === 'detach') this.#letGo.abort()
    else if (!this.signal.aborted) this.#note(reason)
    this.#controller.abort(reason)
  }
}

/** Thrown between two steps of an execution when it was stopped meanwhile; carries nothing, `Stopper` knows why. */
export class Stopped extends Error {
  override name = 'Stopped'
}

export function throwIfStopped(stopper: Stopper): void {
  if (stopper.signal.aborted) throw new Stopped()
}
