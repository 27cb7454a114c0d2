const SIZE = 128
const MASK = SIZE - 1

/** Shorter signs would keep the window from moving. They are few, and searched for one by one. */
const MIN_WINDOW = 5

/** `from` is the start of the window within the sign. */
type Sign = { owner: number; sign: string; from: number }

/** A sign's place and owner. */
export type SignHit = { owner: number; at: number }

/**
 * Searches for many literals at once, after Wu and Manber: a table says for each pair of characters how far the window
 * may move. Dozens of literals cost one pass that skips most characters; `includes` would take a pass for each.
 */
export class SignSearch {
  readonly longest: number
  readonly #window: number
  readonly #shift: Uint8Array
  /** Hashes of the last four characters of a window: a pair alone is in most lines, and comparing costs the most. */
  readonly #ends = new Uint8Array(SIZE * SIZE)
  readonly #ending = new Map<number, Sign[]>()
  readonly #short: readonly Sign[]
  readonly #owners: number

  /** `signs[owner]` are the literals of one owner, none of them empty. */
  constructor(signs: readonly (readonly string[])[]) {
    const all = signs.flatMap((list, owner) => list.map((sign) => ({ owner, sign, from: 0 })))
    const long = all.filter(({ sign }) => sign.length >= MIN_WINDOW)
    this.#short = all.filter(({ sign }) => sign.length > 0 && sign.length < MIN_WINDOW)
    this.longest = Math.max(0, ...all.map(({ sign }) => sign.length))
    this.#owners = new Set(all.map(({ owner }) => owner)).size
    this.#window = long.length === 0 ? 0 : Math.min(...long.map(({ sign }) => sign.length))
    this.#shift = new Uint8Array(SIZE * SIZE).fill(Math.max(0, this.#window - 1))
    for (const one of long) {
      one.from = rarestWindow(one.sign, this.#window)
      const pairAt = (at: number) => pairOf(one.sign.charCodeAt(one.from + at - 1), one.sign.charCodeAt(one.from + at))
      for (let at = 1; at < this.#window; at++) {
        const pair = pairAt(at)
        this.#shift[pair] = Math.min(this.#shift[pair] ?? 0, this.#window - 1 - at)
      }
      this.#end(hashOf(pairAt(this.#window - 3), pairAt(this.#window - 1)), one)
    }
  }

  /** The first hit of each owner that has one. */
  find(text: string): SignHit[] {
    const hits: SignHit[] = []
    for (const { owner, sign } of this.#short) add(hits, owner, text.indexOf(sign))
    if (this.#window === 0) return hits
    // The hot loop of a digest: local variables, and calls only at the rare pairs that end a window.
    const shifts = this.#shift
    const ends = this.#ends
    const window = this.#window
    const end = text.length
    let at = window - 1
    while (at < end) {
      const pair = ((text.charCodeAt(at - 1) & MASK) << 7) | (text.charCodeAt(at) & MASK)
      const shift = shifts[pair] as number
      if (shift > 0) {
        at += shift
        continue
      }
      const hash = hashOf(((text.charCodeAt(at - 3) & MASK) << 7) | (text.charCodeAt(at - 2) & MASK), pair)
      if (ends[hash] === 1) {
        this.#check(text, at - window + 1, hash, hits)
        if (hits.length === this.#owners) break
      }
      at += 1
    }
    return hits
  }

  #check(text: string, at: number, hash: number, hits: SignHit[]): void {
    for (const { owner, sign, from } of this.#ending.get(hash) ?? [])
      if (text.startsWith(sign, at - from) && at >= from) add(hits, owner, at - from)
  }

  #end(hash: number, one: Sign): void {
    this.#ends[hash] = 1
    const ending = this.#ending.get(hash)
    if (ending) ending.push(one)
    else this.#ending.set(hash, [one])
  }
}

const hashOf = (ahead: number, pair: number): number => (Math.imul(ahead, 0x9e5) ^ pair) & (SIZE * SIZE - 1)

const pairOf = (before: number, char: number): number => ((before & MASK) << 7) | (char & MASK)

/** The position of the window in a sign: it ends with the pair that is rarest in other text. */
function rarestWindow(sign: string, window: number): number {
  let best = 0
  for (let from = 1; from + window <= sign.length; from++)
    if (rarity(sign, from + window) > rarity(sign, best + window)) best = from
  return best
}

const rarity = (sign: string, end: number): number => strangeness(sign[end - 2]) + strangeness(sign[end - 1])

const strangeness = (char = ''): number => (/[a-z0-9 =-]/.test(char) ? 0 : /[A-Z]/.test(char) ? 1 : 2)

/** Keeps the first hit of each owner. */
function add(hits: SignHit[], owner: number, at: number): void {
  if (at < 0) return
  const known = hits.find((hit) => hit.owner === owner)
  if (known) known.at = Math.min(known.at, at)
  else hits.push({ owner, at })
}
