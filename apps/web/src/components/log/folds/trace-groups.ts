import { stripSequences } from '@beadloom/core/text/ansi.ts'
import type { LineRange } from './line-map.ts'

/*
 * Stack traces in text that anybody may have printed: lines that are indented below a head and among which there are
 * frames. Only where indented lines are frames are they grouped: a list of tests and a piece of code are indented, too,
 * and nobody wants those folded away. A guess that decides how a log looks and nothing else.
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
/** Fewer are no trace worth a fold; Python has two or three lines for each. */
const LEAST_FRAMES = 3
const LINES_PER_FRAME = 4
/** Beginnings are enough to know a frame by. */
const MOST_CHARACTERS = 300
/** Lines of one trace; an endless recursion becomes a few traces. */
const MOST_LINES = 2048
/** Between a head and the first frame that is looked at. */
const MOST_BACK = 200

export type LineText = (n: number) => string | undefined

/** Traces with frames in these lines: each a head and the lines below it, also those that are before or after. */
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
    // Most lines of most logs are not indented, and need no more than this look.
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
 * The nearest line above that is indented less, and all below that are indented more than it. Without such a line
 * `first` is `at`, and the rest are those that would not have one either.
 */
function traceAround(shape: ShapeAt, at: number, frame: Shape): LineRange {
  let first = at
  let least = frame.indent
  for (;;) {
    const above = sameLane(shape(first - 1), frame)
    if (above === null || at - first >= MOST_BACK) return { first: at, end: endOf(shape, at, frame, frame.indent - 1) }
    first--
    if (above.indent >= least) continue
    // A frame of Rust is two lines, and the first of them no head.
    if (above.indent === 0 || !NUMBERED.test(above.body)) return { first, end: endOf(shape, at, frame, above.indent) }
    least = above.indent
  }
}

/** The line after the last one that is indented more. */
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

/** It begins with a space, a tab or the mark of what an agent says, maybe in a colour. */
const mayBeIndented = (text: string | undefined): boolean => text !== undefined && INDENTED.test(text)
// eslint-disable-next-line no-control-regex
const INDENTED = /^(?:\x1b\[[\d;:]{0,40}m){0,8}[ \t›]/

/** Null for a line that ends whatever came before it: an empty one, and those of docs/log-format.md between texts. */
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
