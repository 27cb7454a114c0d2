import { HIDDEN_MARKS } from '@beadloom/core/text/hidden-marks.ts'

export const markName = (mark: string): string =>
  `‹U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`

/**
 * Text of a bead or an agent as it may be shown: invisible marks become visible ones, so that a title or a log line cannot
 * look like another one.
 */
export const shown = (text: string): string => text.replace(HIDDEN_MARKS, markName)
