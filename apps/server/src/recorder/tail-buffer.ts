const NEWLINE = 10
/** So many small parts cost more than their bytes. */
const MANY_PARTS = 4096

/** The last whole lines of what went through, at most `limit` bytes of them. Time is linear in the bytes. */
export class TailBuffer {
  /** One byte more than is asked for: it tells whether what is kept begins with a line. */
  readonly #keep: number
  #parts: Buffer[] = []
  #length = 0

  constructor(limit: number) {
    this.#keep = limit + 1
  }

  push(lines: Buffer): void {
    const kept = lines.length > this.#keep ? lines.subarray(lines.length - this.#keep) : lines
    this.#parts.push(Buffer.from(kept))
    this.#length += kept.length
    if (this.#length >= 2 * this.#keep || this.#parts.length >= MANY_PARTS) this.#compact()
  }

  /** Begins with a line, unless one line alone is longer than the limit: then it is that line's end. */
  bytes(): Buffer {
    const all = this.#compact()
    if (all.length < this.#keep) return all
    const newline = all.indexOf(NEWLINE)
    return newline === -1 || newline === all.length - 1 ? all.subarray(1) : all.subarray(newline + 1)
  }

  #compact(): Buffer {
    const all = Buffer.concat(this.#parts)
    const kept = all.length > this.#keep ? Buffer.from(all.subarray(all.length - this.#keep)) : all
    this.#parts = [kept]
    this.#length = kept.length
    return kept
  }
}
