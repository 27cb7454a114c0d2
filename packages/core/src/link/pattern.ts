/**
 * The first place of `pattern` in `bytes`, at `from` or later; also of its beginning at the end of `bytes`. -1: none.
 * The time is linear in the bytes, even if they consist of the pattern's beginnings.
 */
export function findPattern(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  const first = pattern[0] ?? 0
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (beginsAt(bytes, pattern, at)) return at
  return -1
}

/** Whether `bytes` has the pattern at `at`, up to the end of `bytes`. */
export function beginsAt(bytes: Uint8Array, pattern: Uint8Array, at: number): boolean {
  const end = Math.min(pattern.length, bytes.length - at)
  for (let next = 0; next < end; next++) if (bytes[at + next] !== pattern[next]) return false
  return true
}

/** Looks for a pattern further and further along the same bytes, and looks at each byte once. */
export class Hunt {
  readonly pattern: Uint8Array
  #next = 0

  constructor(pattern: Uint8Array) {
    this.pattern = pattern
  }

  /** The first place after `at`; the end of the bytes if there is none. `at` only grows. */
  after(bytes: Uint8Array, at: number): number {
    if (this.#next <= at) {
      const found = findPattern(bytes, this.pattern, at + 1)
      this.#next = found < 0 ? bytes.length : found
    }
    return this.#next
  }
}
