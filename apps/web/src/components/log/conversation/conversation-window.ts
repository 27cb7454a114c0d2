import { BLOCK_LINES, tailStart } from '../../../feed/log-cursor.ts'

/** The most lines read at once. Lines further away are let go, as in the log. */
export const MOST_LINES = 8 * BLOCK_LINES

/** [from, to); `to` is null while the window follows the end. `from` is the start of a block. */
export type Window = { from: number; to: number | null }

export const atEnd = (lines: number): Window => ({ from: tailStart(lines), to: null })

/** A window with a line in the middle, to show what led to it. */
export function around(line: number, lines: number): Window {
  const from = Math.max(0, blockOf(line) - BLOCK_LINES)
  const to = from + 4 * BLOCK_LINES
  return { from, to: to >= lines ? null : to }
}

export function older({ from, to }: Window, lines: number): Window {
  const first = Math.max(0, from - BLOCK_LINES)
  const last = to ?? lines
  return last - first > MOST_LINES ? { from: first, to: first + MOST_LINES } : { from: first, to }
}

export function newer({ from, to }: Window, lines: number): Window {
  if (to === null) return { from, to }
  const last = to + BLOCK_LINES
  return trimmed({ from, to: last >= lines ? null : last }, lines)
}

/** A window that follows the end lets go of its oldest blocks. */
export function trimmed({ from, to }: Window, lines: number): Window {
  const least = blockOf((to ?? lines) - MOST_LINES + BLOCK_LINES - 1)
  return least > from ? { from: least, to } : { from, to }
}

export const holds = ({ from, to }: Window, line: number): boolean => line >= from && (to === null || line < to)

const blockOf = (line: number): number => Math.max(0, Math.floor(line / BLOCK_LINES) * BLOCK_LINES)

/** One line of each block, for a reader that fetches by lines. */
export function blocksOf({ from, to }: Window, lines: number): number[] {
  const found: number[] = []
  for (let line = from; line < (to ?? lines); line += BLOCK_LINES) found.push(line)
  return found
}
