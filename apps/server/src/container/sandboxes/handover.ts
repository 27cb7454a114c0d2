/** Passes bursts of pieces to one reader, piece by piece; the giver waits until they are taken. */
export class Handover<Piece> {
  #waiting: Piece[] = []
  /** The index of the next one to take: shifting a long list would cost its length each time. */
  #next = 0
  #ended = false
  #change = Promise.withResolvers<void>()

  /** Resolves when the reader has taken all of it, or nobody reads any more. */
  async give(pieces: readonly Piece[]): Promise<void> {
    for (const piece of pieces) this.#waiting.push(piece)
    this.#tell()
    while (this.#waiting.length > 0 && !this.#ended) await this.#change.promise
  }

  /** Call it when nothing more comes, or nobody takes any more. */
  end(): void {
    this.#ended = true
    this.#tell()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Piece, void, undefined> {
    for (;;) {
      if (this.#next < this.#waiting.length) {
        yield this.#waiting[this.#next++]!
        if (this.#next >= this.#waiting.length) this.#clear()
      } else if (this.#ended) return
      else await this.#change.promise
    }
  }

  /** Drops all pieces that were not taken yet. */
  close(): void {
    this.#clear()
    this.end()
  }

  #clear(): void {
    this.#waiting = []
    this.#next = 0
    this.#tell()
  }

  #tell(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }
}
