/**
 * The places of the values in a JSON text, without creating them. The root's place is 0. The inside of a list or an
 * object begins at the place after its own, with an object's keys and values in turn, and ends before `next`.
 */
export type Tape = {
  text: string
  /** Offsets into the text, by place. */
  start: readonly number[]
  end: readonly number[]
  /** The place after this value and everything inside of it. */
  next: readonly number[]
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Looks once at each character, at any depth. The text must be valid JSON; otherwise the places mean nothing. */
export function tapeOf(text: string): Tape {
  const [start, end, next, open]: number[][] = [[], [], [], []]
  const put = (from: number, to: number): void => {
    start!.push(from)
    end!.push(to)
    next!.push(start!.length)
  }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const to = endOfString(text, at)
      put(at, to)
      at = to - 1
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      open!.push(start!.length)
      put(at, text.length)
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      const place = open!.pop() ?? 0
      end![place] = at + 1
      next![place] = start!.length
    } else if (!isBetween(code)) {
      let to = at + 1
      while (to < text.length && !endsScalar(text.charCodeAt(to))) to += 1
      put(at, to)
      at = to - 1
    }
  }
  return { text, start: start!, end: end!, next: next! }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isBetween = (code: number): boolean => isSpace(code) || code === COMMA || code === COLON
const endsScalar = (code: number): boolean => isBetween(code) || code === CLOSE_LIST || code === CLOSE_OBJECT

/** From the opening quote at `at` to just past the closing one. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return quote + 1
  }
  return text.length
}

export type ValueKind = 'text' | 'list' | 'object' | 'other'

export function kindAt({ text, start }: Tape, place: number): ValueKind {
  const code = text.charCodeAt(start[place] ?? 0)
  if (code === QUOTE) return 'text'
  if (code === OPEN_LIST) return 'list'
  return code === OPEN_OBJECT ? 'object' : 'other'
}

export const rawAt = ({ text, start, end }: Tape, place: number): string => text.slice(start[place], end[place])

/** The part of a text that identifies it, in characters. */
const HEAD = 512

/** The text at this place, or the beginning of a long one. Null: its beginning cannot be decoded. */
export function headAt(tape: Tape, place: number): string | null {
  const [from, to] = [(tape.start[place] ?? 0) + 1, (tape.end[place] ?? 0) - 1]
  const inside = tape.text.slice(from, Math.min(to, from + HEAD))
  if (!inside.includes('\\')) return inside
  // The cut may have split an escape.
  const longestCut = to > from + HEAD ? 5 : 0
  for (let less = 0; less <= longestCut; less += 1) {
    try {
      return JSON.parse(`"${inside.slice(0, inside.length - less)}"`) as string
    } catch {
      // a shorter part may be whole
    }
  }
  return null
}
