import { MOST_CHARACTERS } from './code-text.ts'
import type { DiffRow } from './diff-rows.ts'
import type { PatchLine } from './patch-lines.ts'

const LINE = 20
const TAB = 4
/** Pixels of number, sign and edge beside a line of code, as in the CSS; the sign is two characters wide. */
const NUMBER = 48
const SIGN = 2
const EDGE = 12

/** Characters in a line of code: stacked, and in one of two columns. */
export type Columns = { stacked: number; split: number }

/** The columns of a pane of this width, with characters of this width; both in pixels. */
export function columnsOf(width: number, character: number): Columns | null {
  if (width <= 0 || character <= 0) return null
  const fit = (room: number) => Math.max(1, Math.floor((room - EDGE) / character) - SIGN)
  return { stacked: fit(width - 2 * NUMBER), split: fit(width / 2 - NUMBER) }
}

/** The estimated height of a row in pixels, until it is measured. Each wrong estimate causes another layout. */
export function rowHeight(row: DiffRow | undefined, columns: Columns | null): number {
  if (row?.is === 'head' || row?.is === 'folded') return 36
  if (row?.is === 'waiting') return row.lines * LINE
  if (row?.is === 'note') return 44
  if (row?.is === 'failed') return 80
  if (columns === null) return LINE
  if (row?.is === 'line') return LINE * linesIn(row.line, columns.stacked)
  if (row?.is === 'pair') return LINE * Math.max(linesIn(row.left, columns.split), linesIn(row.right, columns.split))
  return LINE
}

function linesIn(line: PatchLine | null, columns: number): number {
  if (line === null) return 1
  const { length } = line.text
  if (length * TAB <= columns) return 1
  let tabs = 0
  for (let at = line.text.indexOf('\t'); at >= 0 && at < MOST_CHARACTERS; at = line.text.indexOf('\t', at + 1)) tabs++
  return Math.max(1, Math.ceil((Math.min(length, MOST_CHARACTERS) + tabs * (TAB - 1)) / columns))
}
