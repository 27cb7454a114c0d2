import { indentOf } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/* The assertions of a function's or a loop's body, and their words with other values. */

/** Lines to be written below others, and lines that count only there. */
export type Written = { below: Map<PatchLine, string[]>; counted: Set<PatchLine> }

/** The most lines that are written in one file, and the longest one that is. */
export const MOST_WRITTEN = 1000
const LONGEST = 400

const LOCAL =
  /^(?:(?:const|let|var|val|final|auto|my)\s(?:[\w<>]+\s)?)?(\w{1,100})(?:: ?[\w<>[\]]+)? ?:?= ?([^=].{0,300}?);?$/
const HARMLESS = /^(?:t\.Helper\(\)|["'`]{3}.*["'`]{3}|\{|\}|end);?$/
const MOST_LINES = 60

/** The lines of a block, without empty ones; none if it is too long. */
export function bodyBelow(lines: readonly PatchLine[], at: number): PatchLine[] {
  const depth = indentOf(lines[at]!)
  const end = lines.slice(at + 1, at + MOST_LINES).findIndex(({ plain, hunk }, below) => {
    const line = lines[at + 1 + below]!
    return hunk !== lines[at]!.hunk || (plain !== '' && plain !== '{' && indentOf(line) <= depth)
  })
  if (end < 0 && at + MOST_LINES < lines.length) return []
  return lines.slice(at + 1, end < 0 ? lines.length : at + 1 + end).filter(({ plain }) => plain !== '')
}

/**
 * The assertions at the first level of a body, up to the first line that is neither one nor a local value: a condition,
 * an end, or a change of what is compared.
 */
export function assertionsOf(body: readonly PatchLine[], parameters: readonly string[]) {
  const says: string[] = []
  const taken: PatchLine[] = []
  const locals = new Map<string, string>()
  const depth = body[0] ? indentOf(body[0]) : 0
  for (let at = 0; at < body.length; at++) {
    const line = body[at]!
    const { plain } = line
    if (plain.length > LONGEST) break
    if (code.isComment(plain) || HARMLESS.test(plain)) continue
    if (indentOf(line) !== depth) break
    const fails = failureAt(body, at)
    const [, name = '', value = ''] = LOCAL.exec(plain) ?? []
    if (fails !== null) {
      says.push(withValues(plain, locals), fails.plain)
      taken.push(fails)
      at += 2
    } else if (code.isAssertion(plain) && code.isClosed(plain)) {
      says.push(withValues(plain, locals))
      taken.push(line)
    } else if (name !== '' && !parameters.includes(name) && !locals.has(name))
      locals.set(name, withValues(value, locals))
    else break
  }
  return { says, taken }
}

/** Go's and C's way to fail: a condition, and nothing but a failure in its block. */
function failureAt(body: readonly PatchLine[], at: number): PatchLine | null {
  const [first, second, third] = body.slice(at, at + 3)
  return first && second && /^if\b.*\{$/.test(first.plain) && code.isAssertion(second.plain) && third?.plain === '}'
    ? second
    : null
}

/** A line with values for its names, but not in its strings, and not for fields of the same name. */
export function withValues(line: string, values: ReadonlyMap<string, string>): string {
  if (values.size === 0) return line
  return line.replace(/(["'`])(?:[^\\]|\\.)*?\1|(?<![\w$.])[A-Za-z_]\w*/g, (word, _quote, at: number) => {
    const value = values.get(word)
    if (value === undefined) return word
    const isShort = /[{,] ?$/.test(line.slice(0, at)) && /^ ?[,}]/.test(line.slice(at + word.length))
    return isShort && line.slice(0, at).includes('{') ? `${word}: ${value}` : value
  })
}

/** The parts between commas outside of brackets and strings. */
export function partsOf(text: string): string[] {
  const parts = ['']
  let depth = 0
  let quote = ''
  for (const letter of text) {
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (`"'\``.includes(letter)) quote = letter
    else if ('([{<'.includes(letter)) depth += 1
    else if (')]}>'.includes(letter)) depth -= 1
    if (letter === ',' && depth <= 0 && quote === '') parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
