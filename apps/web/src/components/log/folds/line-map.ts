/** Lines from `first` to before `end`; `end` may be Infinity, for a log that still grows. */
export type LineRange = { first: number; end: number }

/**
 * Maps lines to rows of the view: all lines, or the ranges left by folds or a filter. Rows are counted from 0 without
 * gaps, so scrolling knows nothing of hidden lines.
 */
export class LineMap {
  readonly #ranges: readonly LineRange[]
  /** Number of rows before each range. */
  readonly #before: Float64Array

  readonly #tellsGaps: boolean

  /** `ranges` are in order, disjoint and not empty. Without `tellsGaps`, left-out lines are not marked. */
  constructor(ranges: readonly LineRange[], tellsGaps = false) {
    this.#ranges = ranges
    this.#tellsGaps = tellsGaps
    this.#before = new Float64Array(ranges.length)
    for (let at = 1; at < ranges.length; at++) {
      const { first, end } = ranges[at - 1] as LineRange
      this.#before[at] = (this.#before[at - 1] ?? 0) + end - first
    }
  }

  /** The number of rows for a log of this many lines. */
  rows(lines: number): number {
    const at = this.#rangeAt(lines - 1)
    const range = this.#ranges[at]
    if (!range) return 0
    return (this.#before[at] ?? 0) + Math.min(range.end, lines) - range.first
  }

  lineOf(row: number): number {
    let low = 0
    let high = this.#ranges.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#before[middle] ?? 0) <= row) low = middle
      else high = middle - 1
    }
    return (this.#ranges[low]?.first ?? 0) + row - (this.#before[low] ?? 0)
  }

  /** The row of a line; for a hidden line, the nearest row above it. */
  rowOf(line: number): number {
    const at = this.#rangeAt(line)
    const range = this.#ranges[at]
    return range ? (this.#before[at] ?? 0) + Math.min(line, range.end - 1) - range.first : 0
  }

  shows(line: number): boolean {
    const range = this.#ranges[this.#rangeAt(line)]
    return range !== undefined && line < range.end
  }

  /** Whether lines are left out right above this one. */
  isAfterGap(line: number): boolean {
    const at = this.#tellsGaps ? this.#rangeAt(line) : 0
    return at > 0 && this.#ranges[at]?.first === line
  }

  /** The last range that begins at or before a line, or -1. */
  #rangeAt(line: number): number {
    let low = -1
    let high = this.#ranges.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#ranges[middle]?.first ?? 0) <= line) low = middle
      else high = middle - 1
    }
    return low
  }
}

export const allLines = new LineMap([{ first: 0, end: Number.POSITIVE_INFINITY }])

/** The rest of a log when these ranges are hidden; they may overlap, and are sorted by their starts. */
export function without(hidden: readonly LineRange[]): LineRange[] {
  const left: LineRange[] = []
  let at = 0
  for (const { first, end } of hidden) {
    if (first > at) left.push({ first: at, end: first })
    at = Math.max(at, end)
  }
  if (at < Number.POSITIVE_INFINITY) left.push({ first: at, end: Number.POSITIVE_INFINITY })
  return left
}

/** Ranges of lines with `context` lines around each of them; `line` gives them in order. */
export function around(count: number, line: (at: number) => number, context: number, lines: number): LineRange[] {
  const ranges: LineRange[] = []
  let open: LineRange | null = null
  for (let at = 0; at < count; at++) {
    const n = line(at)
    const first = Math.max(0, n - context)
    const end = Math.min(lines, n + context + 1)
    if (open && first <= open.end) open.end = Math.max(open.end, end)
    else ranges.push((open = { first, end }))
  }
  return ranges
}
