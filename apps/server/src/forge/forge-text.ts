import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { HIDDEN_MARKS } from '@beadloom/core/text/hidden-marks.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'

export const withoutEnd = (text: string, end: string): string => {
  let rest = text
  while (rest.endsWith(end)) rest = rest.slice(0, -end.length)
  return rest
}

const LONGEST_QUOTE = 300
const LONGEST_SENTENCE = 1200

/** A forge's message, or a name, ready to be quoted in a sentence of ours. */
export function quoted(text: string, longest = LONGEST_QUOTE): string {
  // Cut first, so that the patterns do not search megabytes.
  const line = oneLine(stripAnsi(text.slice(0, longest * 4))).replace(HIDDEN_MARKS, '')
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line
}

/** A sentence that may leave this folder: bounded, on one line, and without the token in any of its usual forms. */
export function safeSentence(text: string, token: string | null): string {
  const line = oneLine(masked(text, token))
  return line.length > LONGEST_SENTENCE ? `${line.slice(0, LONGEST_SENTENCE).toWellFormed()}…` : line
}

/** Shorter tokens are placeholders; masking them would damage ordinary words and protect nothing. */
const SHORTEST_SECRET = 6

export function masked(text: string, token: string | null): string {
  if (token === null || token.length < SHORTEST_SECRET) return text
  const forms = [
    token,
    encodeURIComponent(token),
    Buffer.from(token).toString('base64').replace(/=+$/, ''),
    Buffer.from(token).toString('base64url'),
    [...token].reverse().join(''),
  ]
  // Ignoring case, because host names come back in lower case.
  return forms.reduce((rest, form) => rest.replace(new RegExp(form.replace(/[^\w]/g, '\\$&'), 'gi'), '***'), text)
}
