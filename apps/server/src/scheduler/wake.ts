/** Wakes the scheduler, for parts that exist before it does. */
export class Wake {
  #next = new AbortController()

  /** A signal that aborts at the next nudge: later changes are not missed. */
  next(): AbortSignal {
    this.#next = new AbortController()
    return this.#next.signal
  }

  nudge(): void {
    this.#next.abort('woken') // without a reason, each abort would create an error with its stack
  }
}
