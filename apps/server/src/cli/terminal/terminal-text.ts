import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { HIDDEN_MARKS } from '@beadloom/core/text/hidden-marks.ts'

// eslint-disable-next-line no-control-regex
const COLOUR = /(\x1b\[[0-9;:]*m)/
/** C1 controls, which some terminals take for escape sequences. */
const CONTROLS = /[\u0080-\u009f]/g

export const RESET = '\x1b[0m'

/** Foreign text without anything that a terminal obeys, except line ends, tabs and carriage returns. */
export const plainText = (text: string): string => stripAnsi(text).replace(CONTROLS, '').replace(HIDDEN_MARKS, '')

/** The same, except that colours stay. */
export const colouredText = (text: string): string =>
  text
    .split(COLOUR)
    .map((part, at) => (at % 2 === 1 ? part : plainText(part)))
    .join('')

/** Plain text on one line, for a cell or within a sentence. */
export const oneLiner = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim()

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const ASCII = /^[\x20-\x7e]*$/
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

const widthOf = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : NOTHING.test(grapheme) ? 0 : 1)

/** Columns that the text takes on a terminal. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length // most text; the other way is a hundred times slower
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment)
  return width
}

export const padText = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))

/** The text, cut to `width` columns with an ellipsis at the end. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = 1 // the ellipsis
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Lines of at most `width` columns, broken between words; a longer word is cut. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    const longer = line === undefined ? word : `${line} ${word}`
    if (line !== undefined && textWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(cutText(word, width))
  }
  return lines
}
