import { LogFolds } from './log-folds.ts'
import type { LineMap } from './line-map.ts'
import type { LogSource, RowAt } from '../view/log-source.ts'

/** The rows of a log: its lines without hidden ones (folds, filter), the growing line, and its end. */
export class LogShape {
  readonly folds = new LogFolds()
  /** Shows only these lines; null: all. Folds do not count while it is set. */
  filter: LineMap | null = null
  /** Text at the end of the log, in a row of its own. */
  endText: string | null = null
  readonly #source: LogSource

  constructor(source: LogSource) {
    this.#source = source
  }

  get map(): LineMap {
    return this.filter ?? this.folds.map
  }

  /** Rows of whole lines; the growing line and the end come after them. */
  get lineRows(): number {
    return this.map.rows(this.#source.lines)
  }

  get rows(): number {
    return this.lineRows + (this.#showsPartial ? 1 : 0) + (this.endText === null ? 0 : 1)
  }

  get #showsPartial(): boolean {
    return this.#source.partial !== null && this.map.shows(this.#source.lines)
  }

  readonly at = (row: number): RowAt => {
    const rows = this.lineRows
    if (row < rows) return { is: 'line', line: this.map.lineOf(row) }
    return row === rows && this.#showsPartial ? { is: 'partial', line: this.#source.lines } : { is: 'end' }
  }

  /** The line at a row, or the nearest one; 0 in an empty log. */
  lineNear(row: number): number {
    const rows = this.lineRows
    return rows === 0 ? 0 : this.map.lineOf(Math.max(0, Math.min(row, rows - 1)))
  }

  /** The lines of some rows, [first, last). */
  linesOf(first: number, last: number): number[] {
    const lines: number[] = []
    for (let row = first; row < Math.min(last, this.lineRows); row++) lines.push(this.map.lineOf(row))
    return lines
  }
}
