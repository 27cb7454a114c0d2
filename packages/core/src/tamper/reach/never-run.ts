import { indentOf, NEAR } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/*
 * Unchanged assertions within code that certainly does not run, or whose result is ignored: a promise without a wait, a
 * generator that is never iterated, a lambda that is never called, a branch that is never chosen, a block that is left
 * first.
 */

const LITERAL = String.raw`-?\d+|true|false|True|False|None|null|'\w*'|"\w*"`
/** It returns a promise, or a generator. */
const AT_ONCE = /^[;!]?\((?:async (?:\(\) =>|function ?\w*\(\))|(?:async )?function ?\* ?\w*\(\)) ?\{ ?/
const AND_NO_MORE = /\}(?:\)\(\)|\(\)\));?$/
const GENERATOR = /^(?:async )?function ?\* ?(\w+)\(/
const ON_ONE_LINE = /^(?:(?:async )?function ?\* ?(\w+)\(\) ?\{|(\w+) ?= ?lambda(?: [\w, *]{1,100})?:) ?/
const CHOICE = new RegExp(String.raw`^(?:switch ?\(?(${LITERAL})?\)? ?\{|match (${LITERAL}) ?[:{]|case (${LITERAL}))$`)
const BRANCH = new RegExp(String.raw`^(?:case|when) (${LITERAL})(?: then|:)?(?: ?\{)?$`)
const OTHER_BRANCH = /^(?:case|when|default|else)\b/
const CHOICE_AND_BRANCH = new RegExp(String.raw`^switch ?\((${LITERAL})\) ?\{ ?case (${LITERAL}): ?(?:\{ ?)?`)
const LABEL = /^(\w+): ?\{$/
const LABEL_AND_BREAK = /^(\w+): ?\{ ?break \1; ?/
/** It reports its end to somebody. */
const TOLD = /\b(?:resolve|done)\b/

const isSame = (one: string, other: string): boolean => one.replaceAll('"', "'") === other.replaceAll('"', "'")
const isThere = ({ sign }: PatchLine): boolean => sign !== '-'

/** The number of assertions within such code on one line. */
export function neverRun(lines: readonly PatchLine[]): number {
  const former = new Set(
    lines.flatMap(({ sign, plain }) => (sign === '-' && code.isAssertion(plain) ? [plain.replace(/;$/, '')] : [])),
  )
  const lengths = [...new Set([...former].map(({ length }) => length))]
  return lines.filter((line, at) => {
    const head = line.sign === '+' ? headThatRunsNothing(lines, at) : ''
    const rest = line.plain.slice(head.length).replace(/^await /, '')
    return head !== '' && lengths.some((length) => former.has(rest.slice(0, length)))
  }).length
}

function headThatRunsNothing(lines: readonly PatchLine[], at: number): string {
  const { plain = '' } = lines[at] ?? {}
  const [atOnce] = AT_ONCE.exec(plain) ?? []
  if (atOnce !== undefined) return AND_NO_MORE.test(plain) && !TOLD.test(plain) ? atOnce : ''
  const [named, generator, lambda] = ON_ONE_LINE.exec(plain) ?? []
  if (named !== undefined) return isUsed(lines, at, generator ?? lambda ?? '', generator !== undefined) ? '' : named
  const [chosen, of, branch] = CHOICE_AND_BRANCH.exec(plain) ?? []
  if (chosen !== undefined) return isSame(of ?? '', branch ?? '') ? '' : chosen
  return LABEL_AND_BREAK.exec(plain)?.[0] ?? ''
}

/** Whether such a block begins here. */
export function runsNothing(lines: readonly PatchLine[], at: number): boolean {
  const own = lines[at]
  if (!own) return false
  const { plain } = own
  if (AT_ONCE.test(plain)) {
    const { body, end } = blockAt(lines, at)
    return AND_NO_MORE.test(end) && !body.some((line) => TOLD.test(line.plain))
  }
  const generator = GENERATOR.exec(plain)?.[1] ?? yieldingFunction(lines, at)
  if (generator !== undefined) return !isUsed(lines, at, generator, true)
  const label = LABEL.exec(plain)?.[1]
  if (label !== undefined) return isLeftFirst(blockAt(lines, at).body, label)
  return isOtherBranch(lines, at)
}

/** The name of a Python function that does not start before somebody iterates over it. */
function yieldingFunction(lines: readonly PatchLine[], at: number): string | undefined {
  const name = /^def (\w+)\(/.exec(lines[at]?.plain ?? '')?.[1]
  if (name === undefined || lines.slice(0, at).findLast(isThere)?.plain.startsWith('@') === true) return undefined
  return blockAt(lines, at).body.some(({ plain }) => /^yield\b/.test(plain)) ? name : undefined
}

/** The current lines of the block below a line, and the line that ends it. */
function blockAt(lines: readonly PatchLine[], at: number): { body: PatchLine[]; end: string } {
  const own = lines[at]
  const below = lines.slice(at + 1, at + 1 + NEAR).filter((line) => isThere(line) && line.plain !== '')
  const end = below.findIndex((line) => line.hunk !== own?.hunk || !own || indentOf(line) <= indentOf(own))
  return end < 0 ? { body: below, end: '' } : { body: below.slice(0, end), end: below[end]?.plain ?? '' }
}

/** Whether a line gives a function a name that is used elsewhere, or a caught failure one that is looked at. */
export function isNamedAndUsed(lines: readonly PatchLine[], at: number): boolean {
  const { plain = '' } = lines[at] ?? {}
  const name = /^(?:let|auto|const|var|val) (\w+)(?: ?:[^=]{1,100})? = /.exec(plain)?.[1]
  // In Rust `_` keeps nothing.
  if (name === undefined || /^_+$/.test(name)) return false
  if (!/\bcatch_unwind\(/.test(plain)) return isUsed(lines, at, name, false)
  const looksAtIt = new RegExp(
    `^assert!\\(${name}\\.is_ok\\(\\)|^${name}\\.(?:unwrap|expect)\\(|\\bresume_unwind\\(${name}\\b`,
  )
  return lines.some((line) => isThere(line) && looksAtIt.test(line.plain))
}

/** Whether it is named elsewhere; calling a generator does not run it. */
function isUsed(lines: readonly PatchLine[], at: number, name: string, isGenerator: boolean): boolean {
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`)
  const begun = new RegExp(`^;?${name}\\(.{0,100}\\);?$`)
  return lines.some(
    (line, other) => other !== at && isThere(line) && word.test(line.plain) && !(isGenerator && begun.test(line.plain)),
  )
}

function isLeftFirst(body: readonly PatchLine[], label: string): boolean {
  const [first] = body
  const leaves = body.findIndex(
    (line) =>
      first !== undefined && indentOf(line) === indentOf(first) && new RegExp(`^break ${label};?$`).test(line.plain),
  )
  return leaves >= 0 && !body.slice(0, leaves).some(({ plain }) => code.isAssertion(plain))
}

/** Whether this branch is for another value than the chosen one, and so are all branches before it. */
function isOtherBranch(lines: readonly PatchLine[], at: number): boolean {
  const own = lines[at]
  if (!own || !BRANCH.test(own.plain)) return false
  const branches = [own.plain]
  for (let up = at - 1; up >= 0 && up >= at - NEAR; up--) {
    const line = lines[up]
    if (!line || line.hunk !== own.hunk) return false
    if (!isThere(line) || line.plain === '' || indentOf(line) > indentOf(own)) continue
    const choice = CHOICE.exec(line.plain)
    if (choice !== null) {
      const chosen = choice.slice(1).find(Boolean) ?? 'true'
      const asked = branches.map((branch) => BRANCH.exec(branch)?.[1])
      return asked.every((value) => value !== undefined && !isSame(value, chosen))
    }
    if (!OTHER_BRANCH.test(line.plain)) return false
    branches.push(line.plain)
  }
  return false
}
