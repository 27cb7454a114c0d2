/** Gives what comes in bursts to one reader, piece by piece; who gives waits until it was taken. */
export class Handover<Piece> {
  #waiting: Piece[] = []
  #ended = false
  #change = Promise.withResolvers<void>()

  /** Resolves when the reader has taken all of it, or nobody reads any more. */
  async give(pieces: readonly Piece[]): Promise<void> {
    this.#waiting.push(...pieces)
    this.#tell()
    while (this.#waiting.length > 0 && !this.#ended) await this.#change.promise
  }

  /** Nothing more comes; or nobody takes any more. */
  end(): void {
    this.#ended = true
    this.#tell()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Piece, void, undefined> {
    for (;;) {
      const piece = this.#waiting.shift()
      if (piece !== undefined) {
        yield piece
        if (this.#waiting.length === 0) this.#tell()
      } else if (this.#ended) return
      else await this.#change.promise
    }
  }

  /** Drops what nobody has taken yet. */
  close(): void {
    this.#waiting = []
    this.end()
  }

  #tell(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }
}
