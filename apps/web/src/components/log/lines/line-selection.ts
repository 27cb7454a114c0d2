/** Lines selected by a person; `head` is the end that moves, and may be above `anchor`. */
export type LineSelection = { anchor: number; head: number }
export type Lines = { first: number; last: number }

export const linesOf = ({ anchor, head }: LineSelection): Lines => ({
  first: Math.min(anchor, head),
  last: Math.max(anchor, head),
})

export const isSelected = (selection: LineSelection | null, line: number): boolean => {
  if (selection === null) return false
  const { first, last } = linesOf(selection)
  return line >= first && line <= last
}

/** Moves the head by `by` lines within a log of `lines`; without a selection, it starts at `from`. */
export function extended(selection: LineSelection | null, by: number, from: number, lines: number): LineSelection {
  const { anchor, head } = selection ?? { anchor: from, head: from }
  return { anchor, head: Math.max(0, Math.min(lines - 1, head + by)) }
}

export const sameLines = (a: Lines | null, b: Lines | null): boolean => a?.first === b?.first && a?.last === b?.last

/** "4,713", "10–20": as people write line numbers. */
export const linesText = ({ first, last }: Lines): string =>
  first === last ? `${first + 1}` : `${first + 1}–${last + 1}`
