import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'
import { isExact, valuesIn } from './exact.ts'

/*
 * Comparisons that overlook a difference: both sides are made alike before, or the comparison is told what does not
 * matter. On one side alone that is often a change of the code; sorting is none of it, as an order may be open.
 */

const ALIKE =
  /(?:\.|\b)(toLowerCase|toUpperCase|toLocale\w+Case|trim\w*|replaceAll|replace|normalize|substring|substr|slice|casefold|lower|upper|[lr]?strip|to_(?:ascii_)?(?:lower|upper)case|downcase|upcase|squeeze|gsub|delete|strto(?:lower|upper)|To(?:Lower|Upper)\w*|Trim\w*|lowercase|uppercase)\(/g
const IGNORES =
  /\b(?:isEqualToIgnoring\w+|ignoring(?:Case|Fields\w*|WhiteSpaces?|Whitespace\w*|ActualNullFields|ExpectedNullFields)|assertEqualsIgnoringCase|equalsIgnoreCase|EqualFold|(?:EXPECT|ASSERT)_STRCASE(?:EQ|NE)|strn?casecmp|_stricmp|IgnoreFields|IgnoreCase|EqualIgnoringCase|eq_ignore_ascii_case)\b|\bignor(?!\w*LineEnding)\w+ ?[:=] ?(?:true|True)\b/
/** A picture that may differ everywhere. */
const UNSEEN =
  /\bmask ?: ?\[.*\blocator\(["'`](?:body|html|:root|\*|main|#root|#app)["'`]\)|\bmaxDiffPixels ?: ?\d[\d_]{4,}|\b(?:maxDiffPixelRatio|threshold) ?: ?(?:1\b|0?\.[5-9])/
const OF_PICTURES = /\bto(?:HaveScreenshot|MatchSnapshot|MatchImageSnapshot)\(/
const STRICT = /\bStrictMock<(\w+)>/
const NEAR = 6
const MOST_LINES = 2000

/** The number of former comparisons that overlook more. */
export function overlooksMore(lines: readonly PatchLine[]): number {
  const came = lines.flatMap((line, at) => (line.sign === '+' && mayOverlook(line.plain) ? [at] : []))
  const count = came.slice(0, MOST_LINES).filter((at) => {
    const own = lines[at]
    return lines
      .slice(Math.max(0, at - NEAR), at + NEAR)
      .some(({ sign, hunk, plain }) => sign === '-' && own?.hunk === hunk && overlooks(plain, own.plain))
  }).length
  return count + laxMocks(lines)
}

const mayOverlook = (plain: string): boolean =>
  IGNORES.test(plain) || UNSEEN.test(plain) || [...plain.matchAll(ALIKE)].length > 1

function overlooks(former: string, now: string): boolean {
  if (OF_PICTURES.test(former)) return OF_PICTURES.test(now) && UNSEEN.test(now) && !UNSEEN.test(former)
  if (!(code.asks(former) || code.isAssertion(former)) || !isSameIn(former, now)) return false
  return (IGNORES.test(now) && !IGNORES.test(former) && isExact(former)) || isMadeAlike(former, now)
}

/** The same call on both sides, and it was on none. */
function isMadeAlike(former: string, now: string): boolean {
  const countsOf = (text: string): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const [, name = ''] of code.withoutStrings(text).matchAll(ALIKE)) counts.set(name, (counts.get(name) ?? 0) + 1)
    return counts
  }
  const was = countsOf(former)
  return [...countsOf(now)].some(([name, count]) => count >= 2 && (was.get(name) ?? 0) === 0)
}

/** Whether a line names everything that the former did, with its values. */
function isSameIn(former: string, now: string): boolean {
  const own = code.subjectsOf([now])
  const before = [...code.subjectsOf([former])].filter((name) => !IGNORES.test(name))
  if (!valuesIn(former).every((value) => now.includes(value))) return false
  return before.length > 0 && before.filter((name) => own.has(name)).length * 2 > before.length
}

const LAX = /\b(?:Nice|Naggy)Mock<(\w+)>|^([A-Z]\w*) \w/

/** Mocks that no longer refuse calls that nobody expects. */
function laxMocks(lines: readonly PatchLine[]): number {
  const namesIn = (sign: '-' | '+', pattern: RegExp): string[] =>
    lines.flatMap((line) => (line.sign === sign ? (pattern.exec(line.plain)?.slice(1).find(Boolean) ?? []) : []))
  const strict = new Set(namesIn('+', STRICT))
  const lax = new Set(namesIn('+', LAX))
  return namesIn('-', STRICT).filter((name) => !strict.has(name) && lax.has(name)).length
}
