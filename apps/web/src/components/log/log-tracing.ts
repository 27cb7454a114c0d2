import { BLOCK_LINES } from '../../feed/log-cursor.ts'
import type { LineRange } from './line-map.ts'
import { linesOf } from './line-selection.ts'
import type { LogDrawing } from './log-drawing.ts'
import type { LogLooks } from './log-looks.ts'
import type { LogSource } from './log-rows.ts'
import type { LogShape } from './log-shape.ts'

/** What is folded moves other lines into the view, which may be of another block. */
const MOST_PASSES = 4

/** Finds the stack traces of what is about to be drawn, and of nothing else: a log may have a million lines. */
export class LogTracing {
  /** Where a person was taken last. */
  goal: number | null = null
  readonly #source: LogSource
  readonly #shape: LogShape
  readonly #drawing: LogDrawing
  readonly #looks: LogLooks
  /** Lines that were to be read when the view was drawn last. */
  #read: LineRange | null = null
  #lines = 0

  constructor(source: LogSource, shape: LogShape, drawing: LogDrawing, looks: LogLooks) {
    this.#source = source
    this.#shape = shape
    this.#drawing = drawing
    this.#looks = looks
  }

  /** Nothing folds that a person was taken to, has chosen, or reads while the view stands still. */
  foldNew(following: boolean): void {
    const { folds, filter } = this.#shape
    const { lines } = this.#source
    if (lines < this.#lines) folds.traces.clear()
    this.#lines = lines
    if (filter !== null) return
    const { selection } = this.#looks
    const chosen = selection && linesOf(selection)
    const spare = ({ first, end }: LineRange): boolean => {
      const meets = (range: LineRange | null) => range !== null && range.first < end && range.end > first
      return (
        (this.goal !== null && meets({ first: this.goal, end: this.goal + 1 })) ||
        meets(chosen && { first: chosen.first, end: chosen.last + 1 }) ||
        (!following && meets(this.#read))
      )
    }
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const blocks = new Set(this.#drawing.nextLines(following).map((line) => Math.floor(line / BLOCK_LINES)))
      if (!folds.traces.look(blocks, lines, (n) => this.#source.line(n), spare)) return
      this.#drawing.keepPlace(() => folds.rebuild())
    }
  }

  drawn(): void {
    const { first, last } = this.#drawing.visibleLines()
    let [from, to] = [first, last]
    while (from < to && this.#source.line(from) === undefined) from++
    while (to > from && this.#source.line(to - 1) === undefined) to--
    this.#read = from < to ? { first: from, end: to } : null
  }
}
