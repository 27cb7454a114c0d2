import { isAftermath } from './aftermath.ts'
import { detached } from './detached.ts'

const MAX_LINES = 12
const MAX_LINE = 200
/** A line of source that a tool shows around the place: "> 3 |   it('adds'", "   4|  })", "     |   ^". */
const SOURCE = /^(?:>[ \t]{0,4})?\d{0,7}[ \t]{0,4}\|/
const PLACE = /^.+:\d{1,9}$/

/**
 * The explanation of a failure: its message with the expected and received values, and the first place in the project's
 * code.
 */
export class FailureDetail {
  readonly #lines: string[] = []
  readonly #brief: boolean
  #frame: string | null = null
  #inStack = false

  /** @param brief keeps only the first line: nobody will see the rest, and details cost the most time */
  constructor(brief = false) {
    this.#brief = brief
  }

  /** A line that the tool prints about the failure. */
  line(text: string): void {
    if (this.#inStack ? this.#brief || this.#frame !== null : this.#brief && this.#lines.length > 0) return
    const trimmed = text.trim()
    if (isFrame(trimmed)) {
      this.#inStack = true
      this.frame(trimmed)
      return
    }
    // After the stack come the error's fields and causes, which repeat it.
    if (this.#inStack || trimmed === '' || this.#lines.length >= MAX_LINES || SOURCE.test(trimmed)) return
    if (trimmed.endsWith('───') || isAftermath(trimmed)) return
    this.#lines.push(detached(text.slice(0, MAX_LINE).trimEnd()))
  }

  /** Several lines. */
  text(text: string): this {
    for (const line of text.slice(0, 16_000).split('\n')) this.line(line)
    return this
  }

  /** A stack frame in any form; only the first one of the project is kept. */
  frame(text: string): void {
    if (this.#frame !== null || this.#brief) return
    const place = placeOf(text)
    if (place !== null && isOwn(place)) this.#frame = detached(place)
  }

  toString(): string {
    const [first = '', ...rest] = this.#lines
    return [
      ...(first === '' ? [] : [first.trim()]),
      ...dedent(rest),
      ...(this.#frame === null ? [] : [`at ${this.#frame}`]),
    ].join('\n')
  }
}

const isFrame = (text: string): boolean =>
  (text.startsWith('at ') || text.startsWith('❯ ')) && (placeOf(text) !== null || text.endsWith('<anonymous>)'))

/** "src/a.ts:3:5" of "at Object.toBe (src/a.ts:3:5) {"; null if it names no place. */
function placeOf(text: string): string | null {
  let end = text.length
  if (text.endsWith(' {')) end -= 2
  if (text[end - 1] === ')') end -= 1
  const from = Math.max(text.lastIndexOf('(', end - 1), text.lastIndexOf(' ', end - 1)) + 1
  const place = text.slice(from, end)
  return PLACE.test(place) ? place.replace(/^file:\/\//, '').slice(0, MAX_LINE) : null
}

const isOwn = (place: string): boolean => !place.startsWith('node:') && !place.includes('node_modules/')

/** Removes the indentation that all lines share, so that lines of a diff stay aligned. */
function dedent(lines: readonly string[]): string[] {
  const common = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  return lines.map((line) => line.slice(common))
}
