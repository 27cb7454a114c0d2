/* oxlint-disable no-control-regex -- control characters are what this file is about */
/*
 * One line of hostile text becomes plain text and style runs: colours and weights are understood, every other control
 * sequence is dropped, and nothing ever becomes markup.
 */

/** -1 default, 0 to 15 the theme's palette, 16 to 255 the fixed one, `RGB | 0xrrggbb` true colour. */
export type Colour = number
export const RGB = 0x1000000

export type Style = {
  fg: Colour
  bg: Colour
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  inverse: boolean
  strike: boolean
}

export const plainStyle: Style = {
  fg: -1,
  bg: -1,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strike: false,
}

/** Where a terminal's hyperlink (OSC 8) leads; only to where a browser may go without harm. */
export type Link = { href: string; host: string }

/** `start` and `end` count UTF-16 units of `text`; runs cover only what is not plain, in order. */
export type Run = { start: number; end: number; style: Style; link: Link | null }
/** `skipped`: units before `text` that a carriage return has overwritten; a search counts them. */
export type StyledLine = { text: string; runs: Run[]; end: Style; skipped: number }

// CSI, OSC (cut at 4096, so that an open one does not swallow the line), two-character sequences, other controls. What
// is dropped is what the server's search drops (packages/core/src/ansi.ts): its columns count the same text.
const CONTROL =
  /\x1b\[([0-?]*)[ -/]*([@-~])|\x1b\]([^\x07\x1b]{0,4096})(?:\x07|\x1b\\)|\x1b[()#%][0-9A-Z]?|\x1b[78=>@-Z\\^_c]|\r|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+/g
const ANY_CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/

/**
 * Splits a line into text and runs, beginning with the style that the line before it ended with. A carriage return
 * starts the line over, as a progress bar means it; one at the very end is half of a line break. `raw` keeps them all.
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

/** The style after a line, without making its runs: for lines that are only passed. */
export function styleAfter(line: string, start: Style): Style {
  return line.includes('\x1b[') ? tokenise(line, start).end : start
}

const runsOf = (length: number, style: Style): Run[] =>
  style === plainStyle || length === 0 ? [] : [{ start: 0, end: length, style, link: null }]

/** Position of the last carriage return that is followed by something to show, or -1. */
function returnsOf(line: string): number {
  let end = line.length
  while (end > 0 && line[end - 1] === '\r') end--
  return line.lastIndexOf('\r', end - 1)
}

/** Applies one SGR sequence (`1;38:2::255:0:0`). Unknown parameters are skipped with their arguments. */
export function applySgr(style: Style, parameters: string): Style {
  let next = style
  const parts = parameters === '' ? ['0'] : parameters.split(';')
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    if (part.includes(':')) {
      next = withColons(next, part.split(':'))
      continue
    }
    const code = part === '' ? 0 : Number(part)
    if (code === 38 || code === 48) {
      const { colour, used } = extended(parts.slice(i + 1))
      i += used
      if (colour !== null) next = code === 38 ? { ...next, fg: colour } : { ...next, bg: colour }
    } else {
      next = simple(next, code)
    }
  }
  return isPlain(next) ? plainStyle : next
}

function simple(style: Style, code: number): Style {
  if (code === 0) return plainStyle
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 }
  if (code >= 90 && code <= 97) return { ...style, fg: code - 82 }
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 }
  if (code >= 100 && code <= 107) return { ...style, bg: code - 92 }
  const change = switches[code]
  return change ? { ...style, ...change } : style
}

const switches: Record<number, Partial<Style>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { fg: -1 },
  49: { bg: -1 },
}

/** `5;n` and `2;r;g;b` after 38 or 48. */
function extended(rest: string[]): { colour: Colour | null; used: number } {
  if (rest[0] === '5') return { colour: indexed(Number(rest[1])), used: 2 }
  if (rest[0] === '2') return { colour: rgb(rest.slice(1, 4)), used: 4 }
  return { colour: null, used: 0 }
}

/** `38:5:n`, `38:2:r:g:b`, `38:2::r:g:b` (with the colour space left out), `4:3` (a curly underline). */
function withColons(style: Style, parts: string[]): Style {
  const [kind, form, ...rest] = parts
  if (kind === '4') return { ...style, underline: form !== '0' }
  if (kind !== '38' && kind !== '48') return style
  const colour = form === '5' ? indexed(Number(rest[0])) : form === '2' ? rgb(rest.slice(-3)) : null
  if (colour === null) return style
  return kind === '38' ? { ...style, fg: colour } : { ...style, bg: colour }
}

const indexed = (n: number): Colour | null => (Number.isInteger(n) && n >= 0 && n <= 255 ? n : null)

function rgb(parts: string[]): Colour | null {
  const [r, g, b] = parts.map(Number)
  if (parts.length !== 3 || r === undefined || g === undefined || b === undefined) return null
  if (![r, g, b].every((n) => Number.isInteger(n) && n >= 0 && n <= 255)) return null
  return RGB | (r << 16) | (g << 8) | b
}

const isPlain = (style: Style): boolean =>
  (Object.keys(plainStyle) as (keyof Style)[]).every((key) => style[key] === plainStyle[key])
