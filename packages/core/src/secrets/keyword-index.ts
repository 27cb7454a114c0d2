const LETTERS = 128

/** Finds the places of many words in a text in one walk. ASCII only, ignoring case. */
export class KeywordIndex {
  /** The next state for each state and letter. */
  readonly #next: Int32Array
  /** The words that end in each state, by their places in the list. */
  readonly #ends: readonly (readonly number[])[]

  /** @param words in small letters */
  constructor(words: readonly string[]) {
    const rows: Int32Array[] = [new Int32Array(LETTERS)]
    const ends: number[][] = [[]]
    for (const [at, word] of words.entries()) {
      let state = 0
      for (let i = 0; i < word.length; i++) {
        const row = rows[state]!
        const letter = word.charCodeAt(i) % LETTERS
        if (row[letter] === 0) {
          row[letter] = rows.push(new Int32Array(LETTERS)) - 1
          ends.push([])
        }
        state = row[letter]!
      }
      ends[state]!.push(at)
    }
    const next = new Int32Array(rows.length * LETTERS)
    for (const [state, row] of rows.entries()) next.set(row, state * LETTERS)
    complete(next, ends)
    this.#next = next
    this.#ends = ends
  }

  /**
   * Calls `found` with each word's place in the list and its end in the text, and `line` with the start of each line.
   */
  walk(text: string, found: (word: number, end: number) => void, line: (start: number) => void): void {
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= LETTERS) {
        state = 0
        continue
      }
      state = this.#next[state * LETTERS + (code >= 65 && code <= 90 ? code + 32 : code)]!
      for (const word of this.#ends[state]!) found(word, at + 1)
      if (code === NEWLINE) line(at + 1)
    }
  }
}

const NEWLINE = 10

/**
 * Turns a tree of words into an automaton (Aho and Corasick): if no word continues, it falls back to the longest suffix
 * that does.
 */
function complete(next: Int32Array, ends: number[][]): void {
  const fallback = new Int32Array(ends.length)
  const queue: number[] = []
  for (let letter = 0; letter < LETTERS; letter++) if (next[letter] !== 0) queue.push(next[letter]!)
  for (const state of queue) {
    const back = fallback[state]!
    ends[state]!.push(...ends[back]!)
    for (let letter = 0; letter < LETTERS; letter++) {
      const at = state * LETTERS + letter
      const other = next[back * LETTERS + letter]!
      if (next[at] === 0) next[at] = other
      else {
        fallback[next[at]!] = other
        queue.push(next[at]!)
      }
    }
  }
}
