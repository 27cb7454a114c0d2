import { indentOf } from './indentation.ts'
import type { PatchLine } from './patch.ts'
import * as code from './words.ts'

/*
 * Assertions that are in a helper of the tests: each new call of it stands for its assertions, with the call's own
 * arguments. They are written out below the call, so that every rule reads them as part of the test.
 */

type Helper = {
  parameters: string[]
  /** Its assertions, in its own words. */
  says: string[]
  isAsync: boolean
  /** Its lines with assertions, which count at each call instead. */
  body: PatchLine[]
}

export type Drawn = {
  lines: readonly PatchLine[]
  /** Calls and bodies: what they say is counted where it is written out. */
  counted: ReadonlySet<PatchLine>
}

const MOST_HELPERS = 50
const MOST_LINES = 60
const LONGEST_LINE = 1000
/** The most lines that are written out in one file. */
const MOST_WRITTEN = 2000

const HEAD = /^[\w<>[\]\s:*&=`]{1,200}\((.{0,500}?)\)[^()]*$/
/** A call after a word looks like a head. */
const NO_HEAD = /^(?:await|return|new|throw|else|yield|assert|not)\b/
const CALL = /^(await )?(?:(?:self|this|t|\$this)(?:\.|->))?(\w{1,100})\((.{0,500})\);?$/
const LOCAL =
  /^(?:(?:const|let|var|val|final|auto|my)\s(?:[\w<>]+\s)?)?(\w{1,100})(?:: ?[\w<>[\]]+)? ?:?= ?([^=].{0,300}?);?$/
const HARMLESS = /^(?:t\.Helper\(\)|["'`]{3}.*["'`]{3}|\{|\}|end);?$/

/** The lines of a file, with the assertions of helpers below their new calls. */
export function writtenOut(lines: readonly PatchLine[]): Drawn {
  const helpers = helpersIn(lines)
  if (helpers.size === 0) return { lines, counted: new Set() }
  const counted = new Set<PatchLine>()
  let written = 0
  const all = lines.flatMap((line) => {
    const says = line.sign === '+' ? saidBy(line.plain, helpers) : null
    if (says === null || says.length === 0 || (written += says.length) > MOST_WRITTEN) return [line]
    counted.add(line)
    const [, , name = ''] = CALL.exec(line.plain) ?? []
    for (const one of helpers.get(name)?.body ?? []) counted.add(one)
    const indent = line.text.slice(0, line.text.length - line.text.trimStart().length)
    return [line, ...says.map((plain): PatchLine => ({ ...line, text: indent + plain, plain }))]
  })
  return { lines: all, counted }
}

function helpersIn(lines: readonly PatchLine[]): Map<string, Helper> {
  const found = new Map<string, Helper>()
  const seen = new Set<string>()
  const there = lines.filter(({ sign }) => sign !== '-')
  for (const [at, line] of there.entries()) {
    const name = NO_HEAD.test(line.plain) || code.isDeclaration(line.plain) ? null : code.functionOf(line.plain)?.trim()
    if (!name) continue
    // If there are two of a name, nobody knows which one a call means.
    const helper = seen.has(name) ? null : helperAt(there, at)
    seen.add(name)
    if (helper === null || found.size >= MOST_HELPERS) found.delete(name)
    else found.set(name, helper)
  }
  for (const { plain } of found.size > 0 ? there : []) {
    const set = /^(?:\w+\.)?(\w{1,100}) ?= ?(?!=)/.exec(plain)?.[1]
    if (set !== undefined) found.delete(set)
  }
  return found
}

function helperAt(lines: readonly PatchLine[], at: number): Helper | null {
  const head = lines[at]
  const given = head && HEAD.exec(head.plain)?.[1]
  if (!head || given === undefined || /^[@#[]/.test(lines[at - 1]?.plain ?? '')) return null
  const parameters = partsOf(given).map((one) => parameterIn(one, head.plain))
  if (parameters.some((one) => !/^\w+$/.test(one))) return null
  const body = bodyBelow(lines, at)
  if (body.some(({ plain }) => /\byield\b/.test(plain))) return null
  const own = parameters.filter((one) => !/^(?:self|cls)$/.test(one))
  const { says, taken } = assertionsOf(body, own)
  if (says.length === 0) return null
  return {
    parameters: own,
    says,
    isAsync: /\basync\b/.test(head.plain),
    body: head.sign === '+' ? [head, ...taken] : [],
  }
}

/** `cart`, `cart: Cart`, `final Cart cart`, `total = 3`, Go's `total int`. */
function parameterIn(text: string, head: string): string {
  const bare = text.trim().replace(/ ?= ?.*$/, '')
  if (/^&?(?:mut )?self$/.test(bare)) return 'self'
  if (bare.includes(':') && !bare.includes('::'))
    return bare
      .split(':', 1)[0]!
      .trim()
      .replace(/^mut |\?$/g, '')
  const words = bare.split(/[\s*&]+/)
  return (head.startsWith('func ') ? words[0] : words.at(-1)) ?? ''
}

function bodyBelow(lines: readonly PatchLine[], at: number): PatchLine[] {
  const depth = indentOf(lines[at]!)
  const end = lines.slice(at + 1, at + MOST_LINES).findIndex(({ plain, hunk }, below) => {
    const line = lines[at + 1 + below]!
    return hunk !== lines[at]!.hunk || (plain !== '' && plain !== '{' && indentOf(line) <= depth)
  })
  return end < 0 ? [] : lines.slice(at + 1, at + 1 + end).filter(({ plain }) => plain !== '')
}

/**
 * The assertions at the first level of a body, up to the first line that is neither one nor a local value: a condition,
 * an end, or a change of what is compared.
 */
function assertionsOf(body: readonly PatchLine[], parameters: readonly string[]) {
  const says: string[] = []
  const taken: PatchLine[] = []
  const locals = new Map<string, string>()
  const depth = body[0] ? indentOf(body[0]) : 0
  for (let at = 0; at < body.length; at++) {
    const line = body[at]!
    const { plain } = line
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

/** The assertions that a line stands for; null: it calls no helper. */
function saidBy(plain: string, helpers: ReadonlyMap<string, Helper>): string[] | null {
  const [, waits, name = '', given = ''] = CALL.exec(plain) ?? []
  const helper = helpers.get(name)
  if (!helper || (helper.isAsync && waits === undefined)) return null
  const values = new Map<string, string>()
  for (const [at, part] of partsOf(given).entries()) {
    const [, named = '', value = ''] = /^(\w+) ?(?:=(?!=)|:) ?(.+)$/.exec(part) ?? []
    const isNamed = helper.parameters.includes(named)
    const parameter = isNamed ? named : helper.parameters[at]
    if (parameter === undefined) return null
    values.set(parameter, isNamed ? value : part)
  }
  // A value by default may be made of the result.
  if (values.size < helper.parameters.length) return null
  return helper.says.map((one) => withValues(one, values).slice(0, LONGEST_LINE))
}

/** A line with values for its names, but not in its strings, and not for fields of the same name. */
function withValues(line: string, values: ReadonlyMap<string, string>): string {
  if (values.size === 0) return line
  return line.replace(/(["'`])(?:[^\\]|\\.)*?\1|(?<![\w$.])[A-Za-z_]\w*/g, (word, _quote, at: number) => {
    const value = values.get(word)
    if (value === undefined) return word
    const isShort = /[{,] ?$/.test(line.slice(0, at)) && /^ ?[,}]/.test(line.slice(at + word.length))
    return isShort && line.slice(0, at).includes('{') ? `${word}: ${value}` : value
  })
}

function partsOf(text: string): string[] {
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
