// Marks that reorder or hide text: a title or a log line must not be able to look like another one.
const REORDERING = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

export const REORDERING_MARKS = REORDERING

export const markName = (mark: string): string =>
  `‹U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`

/** Text of a bead or an agent as it may be shown: invisible marks become visible ones. */
export const shown = (text: string): string => text.replace(REORDERING, markName)
