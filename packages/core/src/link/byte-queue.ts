/** Smaller pieces are copied together: a million frames of one byte must not become a million objects. */
const LARGE_BYTES = 8 * 1024
const BLOCK_BYTES = 16 * 1024
/** A large piece keeps its whole chunk in memory, so it is copied if it is less than this part of the chunk. */
const WORTHY_PART = 1 / 3

/** Bytes received but not read yet. They use at most three times their size in memory, however they arrive. */
export class ByteQueue {
  readonly #pieces: Uint8Array[] = []
  /** The block that begins with the last piece. */
  #block: Uint8Array | null = null
  #length = 0

  get length(): number {
    return this.#length
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#length += bytes.length
    if (bytes.length >= LARGE_BYTES) {
      this.#block = null
      this.#pieces.push(bytes.length >= bytes.buffer.byteLength * WORTHY_PART ? bytes : bytes.slice())
    } else if (!this.#append(bytes)) this.#pieces.push(bytes.slice())
  }

  /** The next piece, or null if there is none. */
  shift(): Uint8Array | null {
    const piece = this.#pieces.shift()
    if (!piece) return null
    if (this.#pieces.length === 0) this.#block = null
    this.#length -= piece.length
    return piece
  }

  clear(): void {
    this.#pieces.length = 0
    this.#block = null
    this.#length = 0
  }

  /** Adds the bytes to the last piece; false if that is not possible. */
  #append(bytes: Uint8Array): boolean {
    const last = this.#pieces.at(-1)
    if (!last || last.length + bytes.length > BLOCK_BYTES || (!this.#block && last.length >= LARGE_BYTES)) {
      this.#block = null
      return false
    }
    if (!this.#block) {
      this.#block = new Uint8Array(BLOCK_BYTES)
      this.#block.set(last)
    }
    this.#block.set(bytes, last.length)
    this.#pieces[this.#pieces.length - 1] = this.#block.subarray(0, last.length + bytes.length)
    return true
  }
}
