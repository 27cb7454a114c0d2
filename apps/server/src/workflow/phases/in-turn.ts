/** Work that must not happen twice at the same time: each call waits for those before it. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
