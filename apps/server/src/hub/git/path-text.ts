/*
 * To git a path is bytes; everywhere else in Beadloom it is text. A path that is UTF-8 is its own text. Of another one,
 * each byte that is no UTF-8 becomes `\xE9`; and so that a text stands for one path only, a backslash that would be read
 * as such an escape becomes `\x5C`. The ends of names stay as they are, by which files are told apart.
 *
 * "latin1" here: a string with one character for each byte.
 */

const escape = /\\x([0-9A-Fa-f]{2})/g
const looksEscaped = /\\(?=x[0-9A-Fa-f]{2})/g
const byteText = (byte: number): string => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** The text of a path, of its bytes. */
export function pathText(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1')
  const text = bytes.toString()
  // What is no UTF-8 was replaced by a character; most paths have none, and are done.
  if (!text.includes('\ufffd') || Buffer.from(text).equals(bytes)) return text.replace(looksEscaped, '\\x5C')
  let found = ''
  for (let at = 0; at < bytes.length;) {
    const length = characterAt(bytes, at)
    if (length === 0) found += byteText(bytes[at]!)
    else {
      const character = bytes.toString('utf8', at, at + length)
      const isEscape = character === '\\' && /^\\x[0-9A-Fa-f]{2}/.test(bytes.toString('latin1', at, at + 4))
      found += isEscape ? '\\x5C' : character
    }
    at += length || 1
  }
  return found
}

/** The bytes of a path, of its text: latin1. */
export const pathBytes = (text: string): string =>
  text
    .split(escape)
    .map((part, at) =>
      at % 2 === 0 ? Buffer.from(part).toString('latin1') : String.fromCharCode(Number.parseInt(part, 16)),
    )
    .join('')

/** Null: its bytes are no UTF-8, so no argument of a program can be this path. */
export function pathArgument(text: string): string | null {
  const bytes = Buffer.from(pathBytes(text), 'latin1')
  const argument = bytes.toString()
  return Buffer.from(argument).equals(bytes) ? argument : null
}

/** A pathspec of git's that matches it, and perhaps others: any byte where it has one that no argument can hold. */
export function pathPattern(text: string): string {
  const pieces = text
    .split(escape)
    .map((part, at) => (at % 2 === 0 ? part.replace(/[\\*?[\]]/g, '\\$&') : part.toUpperCase() === '5C' ? '\\\\' : '?'))
  return `:(glob)${pieces.join('')}`
}

/** How many bytes the UTF-8 character has that begins here; 0: none does. */
function characterAt(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    const piece = bytes.subarray(at, at + length)
    const text = piece.toString()
    if (Buffer.from(text).equals(piece) && [...text].length === 1) return length
  }
  return 0
}
