/** Wakes the scheduler, for parts that exist before it does. */
export class Wake {
  #next = new AbortController()

  /** Aborts at the next nudge: what changes from now on is not missed. */
  next(): AbortSignal {
    this.#next = new AbortController()
    return this.#next.signal
  }

  nudge(): void {
    this.#next.abort('woken') // without a reason, each change would cost an error with its stack
  }
}
