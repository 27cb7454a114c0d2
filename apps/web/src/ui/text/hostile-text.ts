import { HIDDEN_MARKS } from '@beadloom/core/text/hidden-marks.ts'

/** Unicode has pictures of delete and of the control characters before space. */
export function markName(mark: string): string {
  const code = mark.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
}

/** Browsers draw nothing for a control character. Tabs and line breaks are layout. */
const UNSEEN = new RegExp(`${HIDDEN_MARKS.source}|[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]`, 'gu')

/** Text of a bead or an agent, safe to show: invisible marks become visible, so that no title can pass for another. */
export const shown = (text: string): string => text.replace(UNSEEN, markName)
