/** Wakes everybody who waits for a person's word, so that they look at what is stored. */
export class News {
  #next = new AbortController()

  /** Aborts when something may have changed for those who wait. Ask for it before you look. */
  get next(): AbortSignal {
    return this.#next.signal
  }

  tell(): void {
    const before = this.#next
    this.#next = new AbortController()
    before.abort()
  }
}
