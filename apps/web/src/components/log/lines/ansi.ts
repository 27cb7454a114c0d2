/* oxlint-disable no-control-regex -- control characters are what this file is about */
/*
 * Turns one line of hostile text into plain text and style runs: colours and weights are understood, all other control
 * sequences are dropped, and nothing ever becomes markup.
 */
import { applySgr, plainStyle } from '@beadloom/core/text/sgr.ts'
import type { Style } from '@beadloom/core/text/sgr.ts'

/** The target of a terminal's hyperlink (OSC 8), if a browser may go there without harm. */
export type Link = { href: string; host: string }

/** `start` and `end` count UTF-16 units of `text`; runs cover only styled or linked text, in order. */
export type Run = { start: number; end: number; style: Style; link: Link | null }
/** `skipped`: units before `text` that a carriage return has overwritten; a search counts them. */
export type StyledLine = { text: string; runs: Run[]; end: Style; skipped: number }

// CSI, OSC (cut at 4096, so that an unclosed one does not swallow the line), two-character sequences, other controls,
// which must not swallow a following escape. It drops exactly what the server's search drops
// (packages/core/src/text/ansi.ts), because the columns of hits count the remaining text.
const CONTROL =
  /\x1b\[([0-?]*[ -/]*)([@-~])|\x1b\]([^\x07\x1b]{0,4096})(?:\x07|\x1b\\)|\x1b[()#%][0-9A-Z]?|\x1b[78=>@-Z\\^_c]|\r|\x1b|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]+/g
const ANY_CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/

/**
 * Splits a line into text and runs, starting with the style at the end of the previous line. A carriage return starts
 * the line over, as a progress bar intends; at the very end it is half of a line break. `raw` keeps them all.
 */
export function tokenise(line: string, start: Style = plainStyle, raw = false): StyledLine {
  if (!ANY_CONTROL.test(line)) return { text: line, runs: runsOf(line.length, start), end: start, skipped: 0 }
  let text = ''
  let runs: Run[] = []
  let style = start
  let link: Link | null = null
  let skipped = 0
  let at = 0
  const take = (to: number) => {
    if (to <= at) return
    const from = text.length
    text += line.slice(at, to)
    if (style !== plainStyle || link !== null) runs.push({ start: from, end: text.length, style, link })
  }
  const lastReturn = returnsOf(line)
  CONTROL.lastIndex = 0
  for (let match = CONTROL.exec(line); match; match = CONTROL.exec(line)) {
    take(match.index)
    at = CONTROL.lastIndex
    if (match[0] === '\r' && raw) {
      text += '\r'
    } else if (match[0] === '\r' && match.index <= lastReturn) {
      skipped += text.length + 1
      text = ''
      runs = []
    } else if (match[2] === 'm') {
      style = applySgr(style, match[1] ?? '')
    } else if (match[3]?.startsWith('8;')) {
      link = linkOf(match[3].slice(match[3].indexOf(';', 2) + 1))
    }
  }
  take(line.length)
  return { text, runs, end: style, skipped }
}

function linkOf(address: string): Link | null {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null
  const { href, host, username, password } = new URL(address)
  return username === '' && password === '' && host !== '' ? { href, host } : null
}

const runsOf = (length: number, style: Style): Run[] =>
  style === plainStyle || length === 0 ? [] : [{ start: 0, end: length, style, link: null }]

/** Position of the last carriage return before visible text, or -1. */
function returnsOf(line: string): number {
  let end = line.length
  while (end > 0 && line[end - 1] === '\r') end--
  return line.lastIndexOf('\r', end - 1)
}
