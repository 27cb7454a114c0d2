import { stripAnsi, stripSequences } from '../../text/ansi.ts'
import { MAX_LINE } from '../digest-tool.ts'

/** A piece of output as the reader keeps it: `carry` is the start of the line that `text` continues. */
export type Chunk = { carry: string; text: string }

/** More blanks than this count as one empty line: megabytes of newlines say no more than one. */
const MANY_BLANKS = 1000

/** Other terminal controls besides escape sequences: broken ones, bells, backspaces, changes of the character set. */
const CONTROLS = ['\x1b', '\x00', '\x07', '\x08', '\x0e', '\x0f', '\x7f']

/** The cursor goes to the first column, to draw the line again. */
// eslint-disable-next-line no-control-regex
const FIRST_COLUMN = /\x1b\[[01]?G/g

/**
 * Most output has no escape sequences at all, and looking for one character takes a tenth of the time of a replacement.
 * Rarer control characters are removed when a digest is composed.
 */
export function cleanText(text: string): string {
  if (!text.includes('\x1b')) return text
  const plain = stripSequences(text.replace(FIRST_COLUMN, '\r'))
  return CONTROLS.some((control) => plain.includes(control)) ? stripAnsi(plain) : plain
}

/** The last lines alone, at most `count`; null when there are no more than about that many. */
export function lastLinesOf({ text }: Chunk, count: number): string[] | null {
  let from = text.length
  for (let left = count; left >= 0 && from > 0; left--) from = text.lastIndexOf('\n', from - 1)
  return from <= 0 ? null : linesOf({ carry: '', text: text.slice(from + 1) })
}

/** The complete lines, as last redrawn, cut to `MAX_LINE` and without blanks at the end. */
export function linesOf({ carry, text }: Chunk): string[] {
  if (text.length > MANY_BLANKS && carry === '' && text.trim() === '') return ['']
  const lines = text.split('\n')
  lines.pop() // text after the last newline is the next chunk's carry
  if (carry !== '' && lines.length > 0) lines[0] = carry + lines[0]
  for (let at = 0; at < lines.length; at++) lines[at] = tidy(lines[at] ?? '')
  return lines
}

/** The start of the unfinished line that a chunk ends with; '' when it ends with a newline. */
export function carryAfter({ carry, text }: Chunk): string {
  const from = text.lastIndexOf('\n') + 1
  const rest = text.slice(from)
  if (rest === '') return from > 0 ? '' : carry
  const line = from > 0 ? rest : carry + rest
  // A carriage return at the end may be half of a line end; the text after it decides.
  return line.endsWith('\r') ? `${lastRedraw(line).slice(0, MAX_LINE)}\r` : lastRedraw(line).slice(0, MAX_LINE)
}

function tidy(line: string): string {
  const text = line.includes('\r') ? lastRedraw(line) : line
  const cut = text.length > MAX_LINE ? text.slice(0, MAX_LINE) : text
  const last = cut.charCodeAt(cut.length - 1)
  return last === 0x20 || last === 0x09 || last === 0x0d ? cut.trimEnd() : cut
}

/** A progress bar redraws its line; a person sees only the last state. */
function lastRedraw(line: string): string {
  let end = line.length
  while (end > 0 && line.charCodeAt(end - 1) === 0x0d) end -= 1
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end)
}
