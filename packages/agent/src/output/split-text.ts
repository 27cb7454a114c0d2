import { joinEnds, type Ends } from '@beadloom/core/text/cut-middle.ts'

/** The bytes of a text inside a JSON string, in UTF-8, without the quotes. */
const jsonCost = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2

/**
 * Cuts a text into pieces that each cost at most `budget` bytes as JSON, never between the halves of a character.
 * A cut comes after the last line break of a piece, if there is one, so that lines stay whole where possible.
 */
export function* splitText(text: string, budget: number): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start, budget)
    yield text.slice(start, end)
    start = end
  }
}

/**
 * Cuts a text into pieces of at most `length` UTF-16 units, with cuts as in `splitText`, without measuring anything.
 */
export function* cutText(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = cutEnd(text, start, Math.min(text.length, start + length))
    yield text.slice(start, end)
    start = end
  }
}

function pieceEnd(text: string, start: number, budget: number): number {
  let end = Math.min(text.length, start + budget) // a UTF-16 unit costs at least one byte
  for (;;) {
    const cost = jsonCost(text.slice(start, end))
    if (cost <= budget) break
    const fitting = Math.floor(((end - start) * budget) / cost)
    end = wholeCharacter(text, start, start + Math.max(1, Math.min(fitting, end - start - 1)))
  }
  return cutEnd(text, start, end)
}

function cutEnd(text: string, start: number, most: number): number {
  const end = wholeCharacter(text, start, most)
  if (end === text.length) return end
  const lineBreak = text.lastIndexOf('\n', end - 1)
  return lineBreak >= start ? lineBreak + 1 : end
}

function wholeCharacter(text: string, start: number, end: number): number {
  const before = text.charCodeAt(end - 1)
  const isHighHalf = before >= 0xd800 && before <= 0xdbff && end < text.length
  if (!isHighHalf) return end
  return end - 1 > start ? end - 1 : end + 1
}

/** The lines that are missing or cut, as "12 to 30"; `first` is the number of the text's first line. */
export const linesLeftOut = ({ head, tail }: Ends, breaks: number, first = 1): string =>
  `${first + countLines(head)} to ${first + breaks - countLines(tail)}`

/** The number of line breaks. */
export function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Collects a text of any length in bounded memory: its beginning and its end, `limit` characters together. */
export class BoundedText {
  #half: number
  #head = ''
  #tail = ''
  #omitted = 0

  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2))
  }

  add(text: string): void {
    const room = this.#half - this.#head.length
    if (room > 0) this.#head += text.slice(0, room)
    this.#tail += text.slice(Math.max(0, room))
    if (this.#tail.length > 4 * this.#half) this.#trim() // not at every call: a flood must not copy the tail each time
  }

  ends(): Ends {
    this.#trim()
    return { head: this.#head, tail: this.#tail, omitted: this.#omitted }
  }

  toString(): string {
    const ends = this.ends()
    return ends.omitted === 0 ? ends.head + ends.tail : joinEnds(ends)
  }

  #trim(): void {
    const extra = this.#tail.length - this.#half
    if (extra <= 0) return
    this.#tail = this.#tail.slice(extra)
    this.#omitted += extra
  }
}
