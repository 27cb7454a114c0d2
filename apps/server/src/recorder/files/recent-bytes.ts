/**
 * The last bytes written to a file, for readers that follow it, in a ring that is created for the first of them.
 * (Keeping the written pieces instead makes them old for the garbage collector, which costs more than copying them.)
 */
export class RecentBytes {
  readonly #limit: number
  #ring: Buffer | null = null
  #from: number
  #to: number

  /** `at`: the file's current length. */
  constructor(limit: number, at: number) {
    this.#limit = limit
    this.#from = at
    this.#to = at
  }

  push(piece: Buffer): void {
    const end = this.#to + piece.length
    const kept = piece.subarray(Math.max(0, piece.length - this.#limit))
    if (this.#ring) {
      const at = (end - kept.length) % this.#limit
      const copied = kept.copy(this.#ring, at)
      kept.copy(this.#ring, 0, copied)
    }
    this.#to = end
    this.#from = this.#ring ? Math.max(this.#from, end - this.#limit) : end
  }

  /** The bytes [from, to), as a copy; null when not all of them are here. */
  between(from: number, to: number): Buffer | null {
    const ring = (this.#ring ??= Buffer.allocUnsafeSlow(this.#limit))
    if (from < this.#from || to > this.#to || from >= to) return null
    const at = from % this.#limit
    const first = ring.subarray(at, at + to - from)
    return Buffer.concat([first, ring.subarray(0, to - from - first.length)])
  }
}
