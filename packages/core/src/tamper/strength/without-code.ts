import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'
import { valuesIn } from './exact.ts'

/*
 * Assertions that hold whatever the code returns: the expected value replaces a missing result, or the call itself.
 */

export const LITERAL = String.raw`(?:-?\d[\w.]*|"(?:[^"\\]|\\.){0,200}"|'(?:[^'\\]|\\.){0,200}'|Some\([^()]{1,100}\)|Ok\([^()]{1,100}\)|True|False|true|false)`
/** A default for a missing value: `x or 3`, `x || 3`, `x ?? 3`, `x.or(Some(3))`, `max(x, 3)`. */
const DEFAULTS: readonly RegExp[] = [
  new RegExp(String.raw` (?:or|\|\||\?\?) (${LITERAL})(?=[,)\s;])`),
  new RegExp(String.raw`\.(?:or|unwrap_or|orElse|getOrElse|value_or)\((${LITERAL})\)`),
]
const LARGER = new RegExp(String.raw`\b(?:Math\.|std::)?(?:max|min)\((.{1,300}?), ?(${LITERAL})\)`)

/** The number of assertions whose default is the expected value. */
export function defaultsToExpected(lines: readonly PatchLine[]): number {
  const former = new Set(lines.flatMap(({ sign, plain }) => (sign === '-' && code.isAssertion(plain) ? [plain] : [])))
  if (former.size === 0) return 0
  return lines.filter(({ sign, plain }) => sign === '+' && code.isAssertion(plain) && former.has(withoutDefault(plain)))
    .length
}

/** The line without a default that it contains twice; '' for any other line. */
function withoutDefault(plain: string): string {
  const [larger, inner = '', least = ''] = LARGER.exec(plain) ?? []
  if (larger !== undefined && plain.split(least).length > 2) return plain.replace(larger, inner)
  for (const pattern of DEFAULTS) {
    const [found, value = ''] = pattern.exec(plain) ?? []
    if (found !== undefined && plain.split(value).length > 2) return plain.replace(found, '')
  }
  return ''
}

const SET = new RegExp(
  String.raw`^(?:(?:const|let|var|val|auto|final|int|long|double|String) ){0,2}(\w+) ?:?= (${LITERAL});?$`,
)
const CALL = /(?<![\w.])(?!assert|expect|REQUIRE|CHECK|EXPECT|ASSERT)\w+(?:\.\w+)*[.:]{0,2}\w*\(/

const NEAR = 6

/** The number of assertions that compare values of the test itself, instead of those that called the code. */
export function comparesOwnValues(lines: readonly PatchLine[]): number {
  return lines.filter(({ sign, plain, hunk }, at) => {
    if (sign !== '+' || !code.isAssertion(plain) || CALL.test(inside(plain))) return false
    const above = lines.slice(Math.max(0, at - NEAR), at).filter((line) => line.sign === '+')
    const own = new Set(above.flatMap((line) => SET.exec(line.plain)?.[1] ?? []))
    const names = [...inside(plain).matchAll(/(?<![\w."'])[a-z]\w*\b(?!["'(])/g)].map(([name]) => name)
    if (!names.some((name) => own.has(name)) || !names.every((name) => own.has(name) || KNOWN.has(name))) return false
    const values = valuesIn(plain).join()
    return lines
      .slice(Math.max(0, at - NEAR), at + NEAR)
      .some(
        (line) =>
          line.sign === '-' &&
          line.hunk === hunk &&
          code.isAssertion(line.plain) &&
          CALL.test(inside(line.plain)) &&
          valuesIn(line.plain).at(-1) !== undefined &&
          values === valuesIn(line.plain).at(-1),
      )
  }).length
}

const KNOWN: ReadonlySet<string> = new Set(['self', 'assert', 'this', 'true', 'false', 'null', 'nil'])
/** The values given to an assertion. */
const inside = (plain: string): string => /^[\w.:!]*?(?:[\w!]+\(|assert )(.*)$/.exec(plain)?.[1] ?? plain
