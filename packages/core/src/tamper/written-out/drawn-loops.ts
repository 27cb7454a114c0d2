import { assertionsOf, MOST_WRITTEN, bodyBelow, partsOf, withValues, type Written } from './bodies.ts'
import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/*
 * Assertions in a new loop or a new table of tests: each row stands for them, with its own values. Only rows that are
 * in the patch count.
 */

type Loop = {
  /** Names that each row sets: several, or one for the whole row. */
  names: string[]
  rows: string[]
  /** Go's names of the values of a row. */
  fields: string[]
  /** The line above the body. */
  head: number
}

/** Each is searched for in the whole file. */
const MOST_LOOPS = 50
const MOST_ROW_LINES = 200

const LOOPS: readonly RegExp[] = [
  /^for (?:await )?\(?(?:(?:const|let|var|val|auto) )?[&*]?(.{1,100}?) (?:of|in|:) &?(?:vec!)?(.{1,1000})$/,
  /^for (?:_|\w+), (\w{1,100}) := range (.{1,1000})$/,
]
const EACH = /^(?:(?:it|test|describe)\.each|@pytest\.mark\.parametrize)\((.{1,1000})$/
const METHOD = /^(.{1,1000}?)\.(?:forEach\(\(?|each (?:do|\{) ?\|)(.{1,100}?)(?:\)? => \{|\|)$/
const BEGINS = /^for |^(?:it|test|describe)\.each\b|^@pytest\.mark\.parametrize\b|\.(?:forEach|each)\b/
/** A loop that is left early asks for less. */
const LEAVES = /\b(?:break|return|continue|exit|yield|next|goto)\b/

/** The assertions of new loops, for each of their rows. */
export function loopsWritten(lines: readonly PatchLine[]): Written {
  const there = lines.filter(({ sign }) => sign !== '-')
  const written: Written = { below: new Map(), counted: new Set() }
  let tried = 0
  for (const [at, { sign, plain }] of there.entries()) {
    if (sign !== '+' || !BEGINS.test(plain)) continue
    if (++tried > MOST_LOOPS) break
    const loop = loopAt(there, at, plain)
    if (loop !== null) write(there, loop, written)
  }
  return written
}

function write(lines: readonly PatchLine[], { names, rows, fields, head }: Loop, { below, counted }: Written): void {
  const outer = bodyBelow(lines, head)
  const first = lines.indexOf(outer[0]!)
  // A loop may begin a test for each row.
  const body = outer[0] && code.isDeclaration(outer[0].plain) ? bodyBelow(lines, first) : outer
  if ([...outer, ...body].some(({ plain }) => LEAVES.test(plain))) return
  const { says, taken } = assertionsOf(body, names)
  const last = taken.at(-1)
  if (last === undefined || last.sign !== '+' || below.has(last)) return
  const all = rows.slice(0, MOST_WRITTEN).flatMap((row) => {
    const say = sayingOf(row, names, fields)
    return say === null ? [] : says.map(say)
  })
  if (all.length === 0) return
  below.set(last, all)
  for (const one of taken) counted.add(one)
}

function loopAt(lines: readonly PatchLine[], at: number, plain: string): Loop | null {
  const each = EACH.exec(plain)?.[1]
  if (each !== undefined) return plain.startsWith('@') ? parametrized(lines, at, each) : tableOf(lines, at, each)
  const [, listed = '', called = ''] = METHOD.exec(plain) ?? []
  if (called !== '') return ofList(lines, at, listed, called)
  for (const pattern of LOOPS) {
    const [, set = '', list = ''] = pattern.exec(plain) ?? []
    if (set !== '') return ofList(lines, at, list, set)
  }
  return null
}

const namesIn = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? []

/** A list in place, or one with a name that is given a list in the patch. */
function ofList(lines: readonly PatchLine[], at: number, list: string, set: string): Loop | null {
  const names = namesIn(set)
  const name = /^(\w{1,100})\b(?!\()(?:\.(?:iter|entries|into_iter)\(\))?[)\s{:]*$/.exec(list)?.[1]
  if (name === undefined) {
    const found = /^[[(]/.test(list) ? gathered(lines, at, list) : null
    return found && isEndOfHead(found.rest) ? { names, rows: found.rows, fields: [], head: found.at } : null
  }
  const sets = new RegExp(`^(?:(?:const|let|var|val|final|static) )?${name}(?:: ?[^=]{1,100})? ?:?= ?(.{1,1000})$`)
  const given = lines.flatMap((line, where) => (sets.test(line.plain) ? [where] : []))
  const [where] = given
  // With two lists of a name, nobody knows which one counts.
  if (where === undefined || given.length > 1 || where > at) return null
  if (
    lines.some(({ plain }) => new RegExp(`^${name}(?:\\[| ?\\+=|\\.(?:length|clear|pop|splice|remove)\\b)`).test(plain))
  )
    return null
  const value = sets.exec(lines[where]!.plain)?.[1] ?? ''
  const go = /^\[\]struct ?\{/.test(value)
  const fields = go ? fieldsOf(lines, where) : null
  const found = fields === null ? gathered(lines, where, value) : gathered(lines, fields.at, fields.rest)
  return found && /^[\s;]*$|^ as const;?$/.test(found.rest)
    ? { names, rows: found.rows, fields: fields?.names ?? [], head: at }
    : null
}

const isEndOfHead = (rest: string): boolean => /^(?:\.iter\(\)|\.into_iter\(\))?[)\s]*[:{]?$/.test(rest)

/** The fields of Go's rows, and the place where the rows begin. */
function fieldsOf(lines: readonly PatchLine[], at: number): { names: string[]; at: number; rest: string } | null {
  const text = lines.slice(at, at + MOST_ROW_LINES)
  const end = text.findIndex(({ plain }) => /\} ?\{/.test(plain))
  if (end < 0) return null
  const head = text
    .slice(0, end + 1)
    .map(({ plain }) => plain)
    .join('\n')
  const inside = head.slice(head.indexOf('struct') + 6, head.lastIndexOf('}')).replace(/^ ?\{/, '')
  const names = inside.split(/[;\n]/).flatMap((one) => namesIn(one.trim().replace(/ [^ ,]+$/, '')))
  const [rest = ''] = /\{[^{}]*$|\{.*$/.exec(text[end]!.plain.replace(/^.*?\} ?(?=\{)/, '')) ?? []
  return { names, at: at + end, rest }
}

/** The rows of a list that begins with this text, and what follows its end. */
function gathered(lines: readonly PatchLine[], at: number, begin: string) {
  let text = ''
  let depth = 0
  let quote = ''
  for (let down = 0; down < MOST_ROW_LINES; down++) {
    const line = lines[at + down]
    if (!line || line.hunk !== lines[at]!.hunk) return null
    const plain = down === 0 ? begin : line.plain
    if (code.isComment(plain)) continue
    for (const [column, letter] of [...plain].entries()) {
      if (quote !== '') quote = letter === quote ? '' : quote
      else if (`"'\``.includes(letter)) quote = letter
      else if ('([{'.includes(letter)) depth += 1
      else if (')]}'.includes(letter)) depth -= 1
      text += letter
      if (depth === 0 && quote === '' && /[)\]}]/.test(letter))
        return { rows: partsOf(text.slice(1, -1)), at: at + down, rest: [...plain].slice(column + 1).join('') }
    }
    text += ' '
    if (depth === 0) return null
  }
  return null
}

/** `@pytest.mark.parametrize("a, b", [(1, 2)])` above a test. */
function parametrized(lines: readonly PatchLine[], at: number, rest: string): Loop | null {
  // Its first line may only open the bracket.
  const [, names = '', begin = ''] =
    /^\(?(?:\(|\[)?((?:"[\w, ]+"|'[\w, ]+')(?:, ?(?:"\w+"|'\w+'))*)[)\]]?, ?(\[.*)$/.exec(rest) ?? []
  const found = begin === '' ? null : gathered(lines, at, begin)
  if (!found) return null
  const head = lines.findIndex(({ plain }, below) => below > found.at && /^(?:async )?def /.test(plain))
  if (head < 0 || head > found.at + 10) return null
  const rows = found.rows.map((row) => row.replace(/^pytest\.param(?=\()/, ''))
  return { names: namesIn(names), rows: rows.filter((row) => !/\bmarks ?=/.test(row)), fields: [], head }
}

/** `it.each([[1, 2]])('adds %i', (a, b) => {` */
function tableOf(lines: readonly PatchLine[], at: number, begin: string): Loop | null {
  const found = gathered(lines, at, begin)
  const names = found && /^\)\(.*?, ?(?:async )?\(?([^()]{1,200}?)\)? => \{$/.exec(found.rest)?.[1]
  return found && names ? { names: namesIn(names), rows: found.rows, fields: [], head: found.at } : null
}

/** Writes a line with a row's values; null: it is not known which name has which. */
function sayingOf(row: string, names: readonly string[], fields: readonly string[]): ((line: string) => string) | null {
  const inner = /^(?:\w{1,40}(?=\{))?[[({](.*?),?[\])}]$/.exec(row.trim())?.[1]
  const [only = ''] = names
  if (inner === undefined) return names.length === 1 ? (line) => withValues(line, new Map([[only, row]])) : null
  const parts = partsOf(inner)
  const pairs = parts.map((part) => /^["']?(\w+)["']? ?(?::(?!:)|=>|=(?!=)) ?(.+)$/.exec(part))
  const keys = pairs.every(Boolean)
    ? new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
    : new Map(fields.slice(0, parts.length).map((field, at) => [field, parts[at] ?? '']))
  if (names.length > 1 && keys.size === 0)
    return parts.length === names.length
      ? (line) => withValues(line, new Map(names.map((name, at) => [name, parts[at] ?? ''])))
      : null
  if (names.length > 1 || keys.has(only))
    return names.every((name) => keys.has(name)) ? (line) => withValues(line, keys) : null
  const ofField = new RegExp(`(?<![\\w$.])${only.replaceAll('$', '\\$')}(?:\\.(\\w+)|\\[["']?(\\w+)["']?\\])`, 'g')
  return (line) =>
    line.replace(
      ofField,
      (whole, field?: string, key?: string) => keys.get(field ?? key ?? '') ?? parts[Number(key)] ?? whole,
    )
}
