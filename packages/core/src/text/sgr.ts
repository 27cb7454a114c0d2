/*
 * Colours and weights of terminals (SGR), as far as a log shows them. The server stores the style at the beginning of
 * each block of a log, and the dashboard continues from there: both use this file, so that they cannot differ.
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

/** The plain style, always this very object. */
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

// eslint-disable-next-line no-control-regex
const SGR = /\x1b\[([\d;:]*)m/g

/**
 * The style at the end of a text that began with `start`. No other control sequence can contain or hide an SGR
 * sequence.
 */
export function foldSgr(start: Style, text: string): Style {
  if (!text.includes('\x1b[')) return start
  let style = start
  for (const [, parameters = ''] of text.matchAll(SGR)) style = applySgr(style, parameters)
  return style
}

/** Parameters that turn the plain style into this one (`1;31`), as `applySgr` reads them; empty for the plain style. */
export function sgrOf(style: Style): string {
  return [...weights(style), ...colour(style.fg, 30), ...colour(style.bg, 40)].join(';')
}

function* weights({ bold, dim, italic, underline, inverse, strike }: Style): Generator<number> {
  if (bold) yield 1
  if (dim) yield 2
  if (italic) yield 3
  if (underline) yield 4
  if (inverse) yield 7
  if (strike) yield 9
}

/** `base`: 30 for the text, 40 for the background. */
function colour(value: Colour, base: 30 | 40): number[] {
  if (value < 0) return []
  if (value < 8) return [base + value]
  if (value < 16) return [base + 52 + value]
  if (value < 256) return [base + 8, 5, value]
  return [base + 8, 2, (value >> 16) & 255, (value >> 8) & 255, value & 255]
}

/**
 * Applies one SGR sequence (`1;38:2::255:0:0`). Unknown parameters are skipped with their arguments; private ones
 * (`>4;2`, a keyboard mode) are not SGR.
 */
export function applySgr(style: Style, parameters: string): Style {
  if (!/^[\d;:]*$/.test(parameters)) return style
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
      const { colour, used } = extended(parts, i + 1)
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
function extended(parts: string[], at: number): { colour: Colour | null; used: number } {
  if (parts[at] === '5') return { colour: indexed(Number(parts[at + 1])), used: 2 }
  if (parts[at] === '2') return { colour: rgb(parts.slice(at + 1, at + 4)), used: 4 }
  return { colour: null, used: 0 }
}

/** `38:5:n`, `38:2:r:g:b`, `38:2::r:g:b` (with the colour space left out), `4:3` (a curly underline). */
function withColons(style: Style, parts: string[]): Style {
  const [kind, form, ...rest] = parts
  if (kind === '4') return { ...style, underline: form !== '0' }
  if (kind !== '38' && kind !== '48') return style
  const value = form === '5' ? indexed(Number(rest[0])) : form === '2' ? rgb(rest.slice(-3)) : null
  if (value === null) return style
  return kind === '38' ? { ...style, fg: value } : { ...style, bg: value }
}

const indexed = (n: number): Colour | null => (Number.isInteger(n) && n >= 0 && n <= 255 ? n : null)

function rgb(parts: string[]): Colour | null {
  const [r, g, b] = parts.map(Number)
  if (parts.length !== 3 || r === undefined || g === undefined || b === undefined) return null
  if (![r, g, b].every((n) => Number.isInteger(n) && n >= 0 && n <= 255)) return null
  return RGB | (r << 16) | (g << 8) | b
}

export const isPlain = (style: Style): boolean => style === plainStyle || sameStyle(style, plainStyle)

export const sameStyle = (a: Style, b: Style): boolean =>
  (Object.keys(plainStyle) as (keyof Style)[]).every((key) => a[key] === b[key])
