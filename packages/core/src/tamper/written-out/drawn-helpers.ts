import { assertionsOf, MOST_WRITTEN, bodyBelow, partsOf, withValues, type Written } from './bodies.ts'
import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'

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

const MOST_HELPERS = 50
const HEAD = /^[\w<>[\]\s:*&=`]{1,200}\((.{0,500}?)\)[^()]*$/
/** A call after a word looks like a head. */
const NO_HEAD = /^(?:await|return|new|throw|else|yield|assert|not)\b/
const CALL = /^(await )?(?:(?:self|this|t|\$this)(?:\.|->))?(\w{1,100})\((.{0,500})\);?$/

/** The assertions of helpers, below each new call. */
export function helpersWritten(lines: readonly PatchLine[]): Written {
  const helpers = helpersIn(lines)
  const written: Written = { below: new Map(), counted: new Set() }
  let count = 0
  for (const line of helpers.size > 0 ? lines : []) {
    if (count > MOST_WRITTEN) break
    const says = line.sign === '+' ? saidBy(line.plain, helpers) : null
    if (says === null || says.length === 0) continue
    const [, , name = ''] = CALL.exec(line.plain) ?? []
    written.below.set(line, says)
    count += says.length
    for (const one of [line, ...(helpers.get(name)?.body ?? [])]) written.counted.add(one)
  }
  return written
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
  return helper.says.map((one) => withValues(one, values))
}
