import { indentOf } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'

/* Comparisons in a type itself: if one never looks at the other value, every result is correct. */

/** The first line of a comparison, and its name for the other value. */
const BEGINS =
  /^def __eq__\( ?\w+, ?(\w+)|^__eq__ ?= ?lambda \w+, ?(\w+)|^def (?:==|eql\?)[ (] ?(\w+)|\bboolean equals ?\( ?(?:final )?(?:@\w+ )?[\w<>?]+ (\w+) ?\)|\bfun equals ?\( ?(\w+)|\b[Bb]ool Equals ?\( ?[\w<>?]+ (\w+) ?\)|\bfn eq\( ?&self, ?(\w+)|^func \(.{1,200}\) Equal\( ?(\w+) /
/** A body on the same line; it may also be below. */
const INLINE = /[{=]>? (\S.*)$/
const INLINE_PYTHON = /\)[^:]*: (\S.*)$/
/** A C++ operator outside of a class whose parameter has no name, so that nobody can look at it. Tags may have one. */
const UNNAMED =
  /\bbool operator ?== ?\((?:[^(),]+, ?(?:const )?([\w:<>]+) ?&?|(?:const )?([\w:<>]+) ?&?, ?[^(),]+ ?&? ?\w+)\)/
const TAG =
  /_t\b|sentinel|none|null|nil|empty|unit|tag|end|monostate|unreachable|allocator|iterator|<[^>]*>$|^(?:int|bool|char|double|float|long|auto)$/i
const LAMBDA = /^__eq__ ?= ?lambda \w+, ?\w+: (\S.*)$/
const OPENS = /[{=]>?$|^def __eq__\(.*:$|^def (?:==|eql\?)[ (]/
/** The last line is the answer. */
const ENDS_WITH_ANSWER = /^def (?:==|eql\?)|\bfn eq\(|=>?$/
const COMMENT = /^(?:\/\/|#|\*|\/\*|"""|''')/
/** Answers with which no test passes, and answers of the parent type. */
const NEVER = /\b(?:false|False|NotImplemented|raise|panic|todo|unimplemented|unreachable|match \*self)\b/
const OF_PARENT = /\b(?:super|base)\b/

/** Only the kind of the other value. */
const OF_KIND =
  /\bisinstance\( ?\w+, ?[\w.]+ ?\)|\b\w+ !?(?:instanceof|is) (?:not )?(?:final )?[A-Z][\w<>?.]*|\b\w+\.(?:getClass\(\)|__class__|is_a\?\([\w:]+\))|\btype\( ?\w+ ?\)/g
/** Whether it is the same value, or none. */
const OF_ITSELF =
  /\b(?:\w+ ?[!=]==? ?(?:null|None|nil|this|self)|(?:this|self|None|nil|null) ?[!=]==? ?\w+|\w+ is (?:not )?(?:None|self)|self is \w+)\b/g
/** Any value that exists. */
const IS_THERE = /^(?:return )?\w+ (?:!==? ?(?:null|None|nil)|is not None)\)?;?(?: \})?$/m
/** A type that extends a value type, and inherits a comparison that looks at the value. */
const OF_VALUES =
  /^class \w+\((?:int|float|str|bytes|list|tuple|dict|set|frozenset|Decimal|Fraction|date|datetime)\)|\bextends (?:[\w.]+\.)?(?:Big(?:Decimal|Integer)|(?:Abstract|Array|Linked)?(?:List|Map|Set|HashMap|HashSet))\b/

const isOfValues = (lines: readonly PatchLine[], at: number): boolean => {
  const above = lines.slice(Math.max(0, at - MOST_LINES), at).findLast(({ plain }) => /\bclass \w/.test(plain))
  return above !== undefined && OF_VALUES.test(above.plain)
}
const PATTERN = /\b(?:instanceof|is) (?:final )?[\w<>?.]+ (\w+)/g
const MOST_LINES = 25

/**
 * The first line of a comparison that ignores the other value. A comparison of only the kind is fine for a type without
 * a value, unless it compared more before.
 */
export function blindEquality(lines: readonly PatchLine[], isNew: (line: PatchLine) => boolean): PatchLine | undefined {
  return lines.find((line, at) => {
    const [unnamed] = UNNAMED.exec(line.plain)?.slice(1).filter(Boolean) ?? []
    if (unnamed !== undefined && isNew(line) && !TAG.test(unnamed)) return true
    const name = line.sign === '-' ? undefined : BEGINS.exec(line.plain)?.slice(1).find(Boolean)
    if (name === undefined) return false
    const inline = inlineBody(line)
    const body = inline === undefined ? bodyBelow(lines, at) : []
    if (!(inline === undefined ? body.some(isNew) : isNew(line))) return false
    const now = inline === undefined ? textsOf(body, '-') : [inline]
    const ends = inline !== undefined || ENDS_WITH_ANSWER.test(withoutComment(line.plain))
    const answers = ends ? now.slice(-1) : now.filter((text) => /\breturn\b/.test(text))
    if (answers.every((text) => NEVER.test(text)) || now.some((text) => OF_PARENT.test(text))) return false
    const said = now.join('\n')
    if (!has(name, said)) return true
    if (asksForValue(name, said)) return false
    if (said.search(OF_KIND) < 0) return IS_THERE.test(said)
    return asksForValue(name, textsOf(body, '+').join('\n')) || isOfValues(lines, at)
  })
}

const textsOf = (lines: readonly PatchLine[], without: '+' | '-'): string[] =>
  lines.flatMap(({ sign, plain }) => (sign === without ? [] : [plain]))

const has = (name: string, text: string): boolean => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text)

function asksForValue(name: string, text: string): boolean {
  const aliases = [...text.matchAll(PATTERN)].flatMap(([, alias]) => alias ?? [])
  const rest = text.replace(PATTERN, ' ').replace(OF_KIND, ' ').replace(OF_ITSELF, ' ')
  return [name, ...aliases].some((one) => has(one, rest))
}

function inlineBody({ plain }: PatchLine): string | undefined {
  const rest = withoutComment(plain.replace(BEGINS, ''))
  const text = (
    LAMBDA.exec(plain) ??
    INLINE.exec(rest) ??
    (plain.startsWith('def __eq__') ? INLINE_PYTHON.exec(rest) : null)
  )?.[1]
  return text !== undefined && /\w/.test(text) && !/[{(]$/.test(text) ? text : undefined
}

const withoutComment = (text: string): string => text.replace(/ (?:\/[/*]|#).*$/, '')

/** Empty: there is no body, or its end is not in the patch. */
function bodyBelow(lines: readonly PatchLine[], at: number): PatchLine[] {
  const first = lines[at]!
  const next = lines[at + 1]
  if (!OPENS.test(withoutComment(first.plain)) && !(next?.hunk === first.hunk && next.plain === '{')) return []
  const body: PatchLine[] = []
  for (const line of lines.slice(at + 1, at + MOST_LINES)) {
    if (line.hunk !== first.hunk) return []
    const isOut = line.plain !== '' && indentOf(line) <= indentOf(first)
    if (isOut && line.plain !== '{') return body
    if (/\w/.test(line.plain) && !COMMENT.test(line.plain)) body.push(line)
  }
  return []
}
