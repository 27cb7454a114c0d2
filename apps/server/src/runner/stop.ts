import type { TimeoutReason } from '@beadloom/core/execution.ts'

/** Why an execution is stopped from outside; the first reason wins and is recorded before any signal is sent. */
export type StopReason =
  | { stop: 'cancelled' }
  | { stop: 'timeout'; reason: TimeoutReason }
  | { stop: 'budget' }
  /** The server goes down: what runs goes on without it, and the next server settles it. Nothing is stopped. */
  | { stop: 'detach' }

/** An `AbortController` whose reason is typed. */
export class Stopper {
  #controller = new AbortController()
  get signal(): AbortSignal {
    return this.#controller.signal
  }
  get reason(): StopReason | null {
    return this.#controller.signal.aborted ? (this.#controller.signal.reason as StopReason) : null
  }
  get detached(): boolean {
    return this.reason?.stop === 'detach'
  }
  stop(reason: StopReason): void {
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
