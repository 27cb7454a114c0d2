import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'
import { LITERAL } from './without-code.ts'

/*
 * The expected value takes the place of what the code gave before both are compared: it is laid over the result
 * (`{ ...made, total: 90 }`), or the other side now asks the same code instead of naming a value.
 */

const PAIRS = String.raw`(?:["']?\$?\w{1,60}["']?(?: ?=>| ?:| ?=) ?${LITERAL},? ?){1,8}`
const SUBJECT = String.raw`(\$?[\w.@]{1,80}(?:\([^()]{0,80}\))?)`
const LAID: readonly RegExp[] = [
  new RegExp(String.raw`\{ ?(?:\.\.\.|\*\*)${SUBJECT}, ?${PAIRS}\}`),
  new RegExp(String.raw`\[ ?\.\.\.${SUBJECT}, ?${PAIRS}\]`),
  new RegExp(
    String.raw`(?:Object\.assign\((?:\{\}, ?)?|array_merge\(|array_replace\(|dict\()${SUBJECT}, ?(?:[{[] ?)?${PAIRS}[}\]]?\)`,
  ),
  new RegExp(String.raw`${SUBJECT}(?: \| |\.merge\()\{? ?${PAIRS}\}?\)?`),
]
/** `made.total = 90`, `made["total"] = 90`, `made.update(total=90)`, `Object.assign(made, { total: 90 })` */
const SETS = new RegExp(
  String.raw`^(?:Object\.assign\((\$?\w+), ?\{ ?["']?(\w+)["']?: ?(${LITERAL})|(\$?\w+)\.(?:update|merge!)\(\{? ?["':]?(\w+)["']?(?: ?=>?|:) ?(${LITERAL})|(\$?\w+)(?:\.|->|\[["':]?)(\w+)["']?\]? = (${LITERAL});?$)`,
)
const NEAR = 8

/** The number of former assertions about a result with the expected value laid over it. */
export function laidOver(lines: readonly PatchLine[]): number {
  const former = new Set(lines.flatMap(({ sign, plain }) => (sign === '-' && code.isAssertion(plain) ? [plain] : [])))
  return lines.filter((line, at) => {
    if (line.sign !== '+') return false
    if (former.size > 0 && code.isAssertion(line.plain))
      return LAID.some((pattern) => pattern.test(line.plain) && former.has(line.plain.replace(pattern, '$1')))
    return isSetBefore(lines, at)
  }).length
}

/** Whether the value is set in what a call gave, right before an assertion that was there asks for it. */
function isSetBefore(lines: readonly PatchLine[], at: number): boolean {
  const own = lines[at]
  const [name, key, value] =
    SETS.exec(own?.plain ?? '')
      ?.slice(1)
      .filter(Boolean) ?? []
  if (!own || name === undefined || key === undefined || value === undefined) return false
  const word = new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w$])`)
  const near = (some: readonly PatchLine[]) => some.filter(({ sign, hunk }) => sign !== '-' && hunk === own.hunk)
  const made = near(lines.slice(Math.max(0, at - NEAR), at)).findLast(({ plain }) =>
    new RegExp(`^(?:(?:const|let|var|val|auto|final) )?(?:\\w+ )?${name.replace('$', '\\$')} ?:?= `).test(plain),
  )
  if (!made || !CALLED.test(made.plain) || MADE_NEW.test(made.plain)) return false
  // A former assertion may have called the code itself.
  const call = made.plain.replace(/^.*?:?= /, '').replace(/;$/, '')
  const around = lines.slice(Math.max(0, at - 2 * NEAR), at + 2 * NEAR)
  if (made.sign === '+' && !around.some(({ sign, plain }) => sign === '-' && plain.includes(call))) return false
  const below = lines.slice(at + 1, at + 1 + NEAR)
  const from = below.findIndex(
    ({ sign, hunk, plain }) => sign === made.sign && hunk === own.hunk && code.isAssertion(plain),
  )
  if (from < 0 || !word.test(below[from]?.plain ?? '')) return false
  const text = near(below.slice(from))
    .map(({ plain }) => plain)
    .join(' ')
  return text.includes(key) && text.includes(value)
}

/** A result, rather than an object that the test makes. */
const CALLED = /[\w!?]\(|\.\w+$/
const MADE_NEW = /\bnew\b|= [A-Z]\w*[({]/

const WORD = /"(?:[^"\\]|\\.){0,500}"|'(?:[^'\\]|\\.){0,500}'|`[^`]{0,500}`|\d[\d._]*|[\w$]+|\S/g
const IS_LITERAL = new RegExp(`^${LITERAL}$`)
const ROW = /^[[({].*[\])}],?$/
/** A result in a test, and where it comes from. */
const RESULT = /^(?:(?:const|let|var|val|auto) )?(?:got|actual|result|res|out|have)\b.{0,60}= /
/** Methods of texts and lists, which both sides may well call. */
const COMMON =
  /^(?:includes|contains|has|get|at|indexOf|find\w*|keys|values|entries|items|map|filter|slice|splice|concat|join|split|replace\w*|trim\w*|strip|lower|upper|to[A-Z_]\w*|starts?[wW]ith|ends?[wW]ith|format|sprintf|Sprintf|String|Number|BigInt|Date|Symbol|Array|Object|List|Map|Set|Ok|Some|Err|of|new|from|parse|stringify|len|list|dict|set|tuple|str|int|float|repr|sorted|range|make|append|clone|into|unwrap|collect|iter|vec)$/
const MOST_LINES = 2000

/** The number of assertions and rows whose expected value is now asked of the same code. */
export function askedOfTheCode(lines: readonly PatchLine[]): number {
  const came = lines.flatMap((line, at) => (line.sign === '+' && isComparison(line.plain) ? [at] : []))
  return came.slice(0, MOST_LINES).filter((at) => {
    const own = lines[at]
    const near = lines.slice(Math.max(0, at - NEAR), at + NEAR)
    return near.some(
      (other) =>
        own !== undefined &&
        other.sign === '-' &&
        other.hunk === own.hunk &&
        isComparison(other.plain) &&
        asks(lines, other, own),
    )
  }).length
}

const isComparison = (plain: string): boolean => ROW.test(plain) || code.isAssertion(plain)

function asks(lines: readonly PatchLine[], { plain: former }: PatchLine, own: PatchLine): boolean {
  const [was, is] = [former.match(WORD) ?? [], own.plain.match(WORD) ?? []]
  let from = 0
  while (from < Math.min(was.length, is.length) && was[from] === is[from]) from++
  let end = 0
  while (end < Math.min(was.length, is.length) - from && was.at(-1 - end) === is.at(-1 - end)) end++
  const gone = was.slice(from, was.length - end)
  if (gone.length !== 1 || !IS_LITERAL.test(gone[0] ?? '')) return false
  const called = callsIn(is.slice(from, is.length - end))
  if (called.length === 0) return false
  if (code.isAssertion(own.plain)) {
    const before = callsIn([...is.slice(0, from), '|', ...is.slice(is.length - end)])
    return called.some((name) => before.includes(name))
  }
  const asked = lines
    .filter(
      ({ sign, hunk, plain }) => sign === ' ' && hunk === own.hunk && (RESULT.test(plain) || code.isAssertion(plain)),
    )
    .slice(0, MOST_LINES)
    .flatMap(({ plain }) => callsIn(plain.match(WORD) ?? []))
  return called.some((name) => asked.includes(name))
}

/** Names of functions, without those of test libraries. */
const callsIn = (words: readonly string[]): string[] => {
  const names = words.filter((word, at) => words[at + 1] === '(' && /^[A-Za-z_]\w+$/.test(word))
  const own = code.subjectsOf(names)
  return names.filter((name) => own.has(name) && !COMMON.test(name))
}
