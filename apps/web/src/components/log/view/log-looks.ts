import { isSelected } from '../lines/line-selection.ts'
import type { LineSelection } from '../lines/line-selection.ts'
import type { RowLook } from './log-row.ts'
import type { LineMarks } from './log-source.ts'
import type { FoldHead } from '../folds/log-folds.ts'
import type { LogShape } from '../folds/log-shape.ts'
import { secondText } from '../lines/log-times.ts'
import type { LineTime, TimesBy } from '../lines/log-times.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

/** A line's look besides its text. */
export class LogLooks {
  selection: LineSelection | null = null
  isError: (line: number) => boolean = () => false
  /** For somebody who comes back: everything from this line on is new. */
  since: { line: number; text: string } | null = null
  /** The clock for times beside lines; null: no times. */
  times: TimesBy | null = null
  readonly #shape: LogShape
  readonly #marks: LineMarks

  constructor(shape: LogShape, marks: LineMarks) {
    this.#shape = shape
    this.#marks = marks
  }

  /** `isTop`: it is the first visible line. */
  readonly of = (n: number, isTop: boolean): RowLook => {
    const { filter, folds, map } = this.#shape
    const head = filter ? null : folds.headAt(n)
    return {
      selected: isSelected(this.selection, n),
      error: this.isError(n),
      gap: filter !== null && map.isAfterGap(n),
      fold: head,
      note: head?.folded === true ? foldedText(head) : '',
      stderr: this.#marks.isStderr(n),
      time: this.times && this.#timeOf(n, isTop, this.times),
      since: this.since?.line === n ? this.since.text : '',
    }
  }

  /** A time equal to that of the line above is not repeated, except in the first visible line. */
  #timeOf(n: number, isTop: boolean, by: TimesBy): LineTime {
    const at = this.#marks.timeOf(n)
    if (at === null) return { text: '', at, by }
    const text = secondText(at, by)
    const { map } = this.#shape
    const row = map.rowOf(n)
    const above = row === 0 || isTop ? null : this.#marks.timeOf(map.lineOf(row - 1))
    return { text: above !== null && secondText(above, by) === text ? '' : text, at, by }
  }
}

function foldedText({ of, hides, exit }: FoldHead): string {
  const count = counted(hides, of === 'trace' ? 'more line' : 'line')
  return exit === null ? count : `${count} · ${exit === 0 ? '✓' : `✕ ${exit}`}`
}
