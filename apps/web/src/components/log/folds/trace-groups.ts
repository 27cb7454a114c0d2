import { stripSequences } from '@beadloom/core/text/ansi.ts'
import type { LineRange } from './line-map.ts'

/*
 * Stack traces in text that anybody may have printed: indented lines below a head, among them frames. Only indented
 * lines with frames are grouped: lists of tests and code are indented, too, and nobody wants those folded. The guess
 * affects only the looks of a log.
 */

const FRAME = new RegExp(
  [
    String.raw`at .*(?:[(:]|<anonymous>)`, // JavaScript, Java, C#, Kotlin, Rust
    String.raw`File "[^"]*", line \d`, // Python
    String.raw`from \S+:\d+`, // Ruby
    String.raw`#\d+\s+\S`, // PHP, gdb, sanitizers
    String.raw`❯ \S.*:\d+`, // vitest
    String.raw`\.{3} \d+ (?:more|common frames)`, // Java
    String.raw`\(\w+ [\d.]+\) \S+:\d+`, // Elixir
  ]
    .map((one) => `(?:${one})`)
    .join('|')
    .replace(/^/, '^(?:')
    .replace(/$/, ')'),
)
const NUMBERED = /^\d+: /
/** Fewer frames are not worth a fold; Python has two or three lines for each. */
const LEAST_FRAMES = 3
const LINES_PER_FRAME = 4
/** The start of a line is enough to recognise a frame. */
const MOST_CHARACTERS = 300
/** Lines in one trace; an endless recursion becomes several traces. */
const MOST_LINES = 2048
/** The farthest that a head may be above the first frame examined, in lines. */
const MOST_BACK = 200

export type LineText = (n: number) => string | undefined

/** Traces with frames in these lines, each with its head and the lines below it, even outside of the range. */
export function tracesIn(line: LineText, { first, end }: LineRange): LineRange[] {
  const shapes = new Map<number, Shape | null>()
  const shape = (n: number): Shape | null => {
    const known = shapes.get(n)
    if (known !== undefined) return known
    const made = n < 0 ? null : shapeOf(line(n))
    shapes.set(n, made)
    return made
  }
  const found: LineRange[] = []
  for (let at = first; at < end;) {
    // Most lines of most logs are not indented; for them this test is enough.
    const frame = mayBeIndented(line(at)) ? shape(at) : null
    if (!frame?.isFrame) {
      at++
      continue
    }
    const trace = traceAround(shape, at, frame)
    if (trace.first < at && isTrace(shape, trace)) found.push(trace)
    at = Math.max(at + 1, trace.end)
  }
  return found
}

type ShapeAt = (n: number) => Shape | null

/**
 * The nearest less indented line above, and all lines below that are indented more than it. If there is none, `first`
 * is `at`, followed by the lines that have no head either.
 */
function traceAround(shape: ShapeAt, at: number, frame: Shape): LineRange {
  let first = at
  let least = frame.indent
  for (;;) {
    const above = sameLane(shape(first - 1), frame)
    if (above === null || at - first >= MOST_BACK) return { first: at, end: endOf(shape, at, frame, frame.indent - 1) }
    first--
    if (above.indent >= least) continue
    // A frame of Rust is two lines; the first of them is not a head.
    if (above.indent === 0 || !NUMBERED.test(above.body)) return { first, end: endOf(shape, at, frame, above.indent) }
    least = above.indent
  }
}

/** The line after the last one with a deeper indent. */
function endOf(shape: ShapeAt, at: number, frame: Shape, indent: number): number {
  let end = at + 1
  while (end - at < MOST_LINES && (sameLane(shape(end), frame)?.indent ?? 0) > indent) end++
  return end
}

function isTrace(shape: ShapeAt, { first, end }: LineRange): boolean {
  let frames = 0
  for (let at = first + 1; at < end; at++) if (shape(at)?.isFrame) frames++
  return frames >= LEAST_FRAMES && frames * LINES_PER_FRAME >= end - first - 1
}

type Shape = { said: boolean; indent: number; body: string; isFrame: boolean }

const sameLane = (shape: Shape | null, as: Shape): Shape | null => (shape?.said === as.said ? shape : null)

/** The line begins with a space, a tab or the mark of an agent's words, perhaps in a colour. */
const mayBeIndented = (text: string | undefined): boolean => text !== undefined && INDENTED.test(text)
// eslint-disable-next-line no-control-regex
const INDENTED = /^(?:\x1b\[[\d;:]{0,40}m){0,8}[ \t›]/

/**
 * Null for a line that ends any trace before it: an empty one, and those that docs/log-format.md puts between texts.
 */
function shapeOf(text: string | undefined): Shape | null {
  if (text === undefined) return null
  const beginning = text.slice(0, MOST_CHARACTERS)
  const plain = beginning.includes('\x1b') ? stripSequences(beginning) : beginning
  if (/^[§$!=#·⚙] /.test(plain)) return null
  const said = plain.startsWith('› ')
  let indent = 0
  let at = said ? 2 : 0
  for (; plain[at] === ' ' || plain[at] === '\t'; at++) indent += plain[at] === '\t' ? 8 - (indent % 8) : 1
  const body = plain.slice(at).trimEnd()
  return body === '' ? null : { said, indent, body, isFrame: indent > 0 && FRAME.test(body) }
}
