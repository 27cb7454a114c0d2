import { BLOCK_LINES } from '../../../feed/log-cursor.ts'
import type { LineRange } from './line-map.ts'
import { tracesIn } from './trace-groups.ts'
import type { LineText } from './trace-groups.ts'

/** Longer traces fold by themselves. */
export const MOST_UNFOLDED = 12
/** A limit for logs full of traces; the rest of them stay open. */
const MOST_TRACES = 10_000

type Trace = {
  end: number
  folded: boolean
  /** It stays folded or open: it was long enough to decide, or a person has decided. */
  decided: boolean
}

/**
 * The stack traces in the blocks examined so far. A trace that spans two blocks is found once both are in memory; until
 * then, lines without their head stay open.
 */
export class LogTraces {
  readonly #traces = new Map<number, Trace>()
  /** The part of a block and its neighbours that was in memory when it was examined. */
  readonly #looked = new Map<number, string>()

  /**
   * Examines blocks that are new or have changed. `spare`: whether a range must stay visible. True if folds have
   * changed.
   */
  look(blocks: Iterable<number>, lines: number, line: LineText, spare: (range: LineRange) => boolean): boolean {
    let changed = false
    for (const block of blocks) {
      const range = { first: block * BLOCK_LINES, end: Math.min(lines, (block + 1) * BLOCK_LINES) }
      const [before, own, after] = [range.first - 1, range.end - 1, range.end].map((n) => line(n) !== undefined)
      if (own !== true || line(range.first) === undefined) continue
      const there = `${before} ${range.end} ${after}`
      if (this.#looked.get(block) === there) continue
      this.#looked.set(block, there)
      for (const trace of tracesIn(line, range)) changed = this.#found(trace, spare) || changed
    }
    return changed
  }

  /** The log was replaced by another. */
  clear(): void {
    this.#traces.clear()
    this.#looked.clear()
  }

  at(first: number): (LineRange & { folded: boolean }) | null {
    const trace = this.#traces.get(first)
    return trace ? { first, end: trace.end, folded: trace.folded } : null
  }

  /** The innermost trace around a line. */
  around(line: number): LineRange | null {
    let found: LineRange | null = null
    for (const [first, { end }] of this.#traces)
      if (first <= line && line < end && first >= (found?.first ?? 0)) found = { first, end }
    return found
  }

  toggle(first: number): void {
    const trace = this.#traces.get(first)
    if (trace) this.#traces.set(first, { ...trace, folded: !trace.folded, decided: true })
  }

  setAll(folded: boolean): void {
    for (const [first, trace] of this.#traces) this.#traces.set(first, { ...trace, folded, decided: true })
  }

  /** Opens any trace that hides a line. */
  reveal(line: number): void {
    for (const [first, trace] of this.#traces) if (trace.folded && first < line && line < trace.end) this.toggle(first)
  }

  /** Ranges of hidden lines, in no order. */
  *hidden(): Generator<LineRange> {
    for (const [first, { end, folded }] of this.#traces) if (folded) yield { first: first + 1, end }
  }

  get anyOpen(): boolean {
    return [...this.#traces.values()].some(({ folded }) => !folded)
  }

  #found({ first, end }: LineRange, spare: (range: LineRange) => boolean): boolean {
    const known = this.#traces.get(first)
    if ((known && known.end >= end) || (!known && this.#traces.size >= MOST_TRACES)) return false
    if (known?.decided === true) {
      this.#traces.set(first, { ...known, end })
      return true
    }
    const decided = end - first - 1 > MOST_UNFOLDED
    this.#traces.set(first, { end, decided, folded: decided && !spare({ first: first + 1, end }) })
    return true // at least, a new trace has a mark to fold it by
  }
}
