const SIZE = 128
const MASK = SIZE - 1

/** Where a sign begins, and to which owners it belongs. */
export type SignHit = { owner: number; at: number }

/**
 * Looks for many literals at once, after Wu and Manber: a table says for each pair of characters how far the window may
 * move. Dozens of literals cost one pass that skips most characters, where `includes` would take a pass for each.
 */
export class SignSearch {
  readonly longest: number
  readonly #window: number
  readonly #shift: Uint8Array
  readonly #ending = new Map<number, { owner: number; sign: string }[]>()

  /** `signs[owner]` are the literals of one owner; none empty. */
  constructor(signs: readonly (readonly string[])[]) {
    const all = signs.flatMap((list, owner) => list.filter((sign) => sign !== '').map((sign) => ({ owner, sign })))
    this.longest = Math.max(0, ...all.map(({ sign }) => sign.length))
    // A sign of one character has no pair; its window is padded by looking at every pair that ends with it.
    this.#window = Math.min(255, ...all.map(({ sign }) => Math.max(2, sign.length)))
    this.#shift = new Uint8Array(SIZE * SIZE).fill(this.#window - 1)
    for (const one of all) {
      for (let at = 1; at < Math.min(this.#window, one.sign.length); at++) {
        const pair = pairOf(one.sign.charCodeAt(at - 1), one.sign.charCodeAt(at))
        this.#set(pair, this.#window - 1 - at, one)
      }
      if (one.sign.length === 1)
        for (let before = 0; before < SIZE; before++) this.#set(pairOf(before, one.sign.charCodeAt(0)), 0, one)
    }
  }

  /** The first place of each owner that has one. */
  find(text: string): SignHit[] {
    const found = new Map<number, number>()
    if (this.longest === 0) return []
    const window = this.#window
    let at = window - 1
    while (at < text.length) {
      const pair = pairOf(text.charCodeAt(at - 1), text.charCodeAt(at))
      const shift = this.#shift[pair] ?? 0
      if (shift > 0) {
        at += shift
        continue
      }
      for (const { owner, sign } of this.#ending.get(pair) ?? []) {
        const from = sign.length === 1 ? at : at - window + 1
        if (!found.has(owner) && text.startsWith(sign, from)) found.set(owner, from)
      }
      at += 1
    }
    return [...found].map(([owner, from]) => ({ owner, at: from }))
  }

  #set(pair: number, shift: number, one: { owner: number; sign: string }): void {
    this.#shift[pair] = Math.min(this.#shift[pair] ?? 0, shift)
    if (shift > 0) return
    const ending = this.#ending.get(pair)
    if (ending) ending.push(one)
    else this.#ending.set(pair, [one])
  }
}

const pairOf = (before: number, char: number): number => ((before & MASK) << 7) | (char & MASK)
