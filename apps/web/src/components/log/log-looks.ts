import { isSelected } from './line-selection.ts'
import type { LineSelection } from './line-selection.ts'
import type { RowLook } from './log-row.ts'
import type { FoldHead } from './log-folds.ts'
import type { LogShape } from './log-shape.ts'
import { countText } from '../../ui/time-text.ts'

/** What is to be seen of a line besides its text. */
export class LogLooks {
  selection: LineSelection | null = null
  isError: (line: number) => boolean = () => false
  /** From this line on everything is new to who comes back. */
  since: { line: number; text: string } | null = null
  readonly #shape: LogShape

  constructor(shape: LogShape) {
    this.#shape = shape
  }

  readonly of = (n: number): RowLook => {
    const { filter, folds, map } = this.#shape
    const head = filter ? null : folds.headAt(n)
    return {
      selected: isSelected(this.selection, n),
      error: this.isError(n),
      gap: filter !== null && map.isAfterGap(n),
      fold: head,
      note: head?.folded === true ? foldedText(head) : '',
      since: this.since?.line === n ? this.since.text : '',
    }
  }
}

function foldedText({ of, hides, exit }: FoldHead): string {
  const count = `${countText(hides)} ${of === 'trace' ? 'more ' : ''}${hides === 1 ? 'line' : 'lines'}`
  return exit === null ? count : `${count} · ${exit === 0 ? '✓' : `✕ ${exit}`}`
}
