/*
 * To git a path is bytes; everywhere else in Beadloom it is text. A path in UTF-8 is its own text. In any other, each
 * byte that is no UTF-8 becomes `\xE9`. To keep texts unique, a backslash that would be read as such an escape becomes
 * `\x5C`. The ends of names, which tell types of files, stay as they are.
 *
 * "latin1" here: a string with one character for each byte.
 */

const escape = /\\x([0-9A-Fa-f]{2})/g
const looksEscaped = /\\(?=x[0-9A-Fa-f]{2})/g
/** In a path's bytes: a backslash that would be read as an escape, a UTF-8 character, or a byte outside of any. */
const notPlain =
  /\\(?=x[0-9A-Fa-f]{2})|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xef](?<!\xed)[\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g
const byteText = (byte: number): string => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** The text of a path, from its bytes. */
export function pathText(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1')
  const text = bytes.toString()
  // Bytes that are no UTF-8 were replaced by a character; most paths have none, and are done.
  if (!text.includes('\ufffd') || Buffer.from(text).equals(bytes)) return text.replace(looksEscaped, '\\x5C')
  return latin1.replace(notPlain, (piece) =>
    piece.length === 1 ? byteText(piece.charCodeAt(0)) : Buffer.from(piece, 'latin1').toString(),
  )
}

/** The bytes (latin1) of a path, from its text. */
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

/** A git pathspec that matches it, and perhaps others: a wildcard replaces each byte that no argument can hold. */
export function pathPattern(text: string): string {
  const pieces = text
    .split(escape)
    .map((part, at) => (at % 2 === 0 ? part.replace(/[\\*?[\]]/g, '\\$&') : part.toUpperCase() === '5C' ? '\\\\' : '?'))
  return `:(glob)${pieces.join('')}`
}

/** The parts of a path in the form of names in trees: one character for each byte. */
export const partsOf = (path: string): string[] => pathBytes(path).split('/')
