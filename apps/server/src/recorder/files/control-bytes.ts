export const ESC = 27
const NEWLINE = 10
/** The highest bit of each byte of a word, and the byte above `ESC` in each of them. */
const HIGH = 0x80808080 | 0
const ABOVE = 0x1c1c1c1c
const NONE = new Int32Array()

/**
 * Finds control bytes (up to and including ESC) in a text. It tests four bytes at a time, which takes half the time of
 * a loop over bytes. (`indexOf` for each newline is no faster on ordinary lines, and six times slower on a flood of
 * empty ones. Calling a function for each byte found is slower too.)
 */
export class ControlBytes {
  readonly #text: Uint8Array
  readonly #words: Int32Array
  /** The start of the 32-bit words, at an address that is a multiple of four. */
  readonly #start: number

  constructor(text: Uint8Array) {
    const { length, byteOffset } = text
    const aligned = -byteOffset & 3
    this.#text = text
    this.#start = length < aligned + 4 ? length : aligned
    this.#words =
      this.#start === length ? NONE : new Int32Array(text.buffer, byteOffset + aligned, (length - aligned) >> 2)
  }

  /** The first control byte at or after `at`; -1: there is none. */
  next(at: number): number {
    const text = this.#text
    const { length } = text
    const start = this.#start
    for (;;) {
      if (at >= length) return -1
      if (text[at]! <= ESC) return at
      at += 1
      if (at < start || ((at - start) & 3) !== 0) continue
      const words = this.#words
      let index = (at - start) >> 2
      while (index < words.length && ((words[index]! - ABOVE) & ~words[index]! & HIGH) === 0) index += 1
      at = start + index * 4
    }
  }
}

export function countLines(text: Uint8Array): number {
  const controls = new ControlBytes(text)
  let count = 0
  for (let at = controls.next(0); at !== -1; at = controls.next(at + 1)) if (text[at] === NEWLINE) count += 1
  return count
}
