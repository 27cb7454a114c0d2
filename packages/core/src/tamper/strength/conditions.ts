import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/*
 * Where a language has no assertions, a test says `if got != 3 { t.Error(…) }`: what it asks is in the condition. One that
 * is true of fewer values makes it fail less often.
 */

const CONDITION = /^(?:(?:\}\s*)?(?:else )?if\b|case(?= .*[!=]=)) ?(.{1,500}?) ?(?:\{|:|then)?$/
/** The failure on the same line. */
const ON_ITS_LINE = /^(if ?\(.{1,500}\)) ?\{? ?((?:abort|exit|fail|return|failures?\+\+|throw|goto)\b.*)$/
/** The failure itself, which has to be below. */
const FAILS =
  /(?:^|\W)(?:[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)|fail|abort|exit|panic!?|self\.fail|XCTFail)\s*\(|^(?:return (?:1|-1|false|EXIT_FAILURE);|failures?\+\+|throw |raise )/
const NEAR = 3
const COMPARES = /\berrors\.(?:Is|As)\(|\b(?:Equal|DeepEqual|Diff|EqualError|Contains|strcmp|memcmp|HasPrefix|equals)\(/

/** How many conditions of tests that were there are true of less. */
export function weakerConditions(path: string, lines: readonly PatchLine[]): number {
  if (!/\.(?:go|c|cc|cpp|cxx|h|hpp|java|kt|rs|py|swift)$/.test(path)) return 0
  let count = 0
  for (const [at, { sign, plain }] of lines.entries()) {
    if (sign !== '+') continue
    const now = conditionIn(plain)
    if (now === undefined || !(failsBelow(lines, at) || ON_ITS_LINE.test(plain))) continue
    const former = replaced(lines, at)
    if (former !== undefined && isTrueOfLess(former, now)) count += 1
  }
  return count
}

/** Without the bracket that is around all of it. */
function conditionIn(plain: string): string | undefined {
  const whole = ON_ITS_LINE.exec(plain)?.[1] ?? plain
  return CONDITION.exec(whole)?.[1]?.replace(/^\((.*)\)$/, '$1')
}

const failsBelow = (lines: readonly PatchLine[], at: number): boolean => {
  const below = lines.slice(at, at + 1 + NEAR).filter(({ sign }) => sign !== '-')
  return below.some(({ plain }) => FAILS.test(plain))
}

/** The condition that was in the place of a new one. */
function replaced(lines: readonly PatchLine[], at: number): string | undefined {
  const near = lines.slice(Math.max(0, at - 4), at + 4).filter(({ sign }) => sign === '-')
  return near.flatMap(({ plain }) => conditionIn(plain) ?? [])[0]
}

function isTrueOfLess(former: string, now: string): boolean {
  const parts = (text: string): string[] => text.split(/;|&&|\|\|/).map((part) => part.trim())
  const [was, is] = [parts(former), parts(now)]
  if (/(?:^|&& ?|; ?)(?:false|0)(?: ?&&|$)|&& ?(?:false|0)$/.test(now)) return true
  if (isSetToIt(now) && !isSetToIt(former)) return true
  if (is.some((part) => hasSameSides(part)) && !was.some((part) => hasSameSides(part))) return true
  if (now.startsWith(`${former} && `)) return true
  const [last = '', present = ''] = [was.at(-1), is.at(-1)]
  const shared = [...code.subjectsOf([former])].some((name) => code.subjectsOf([now]).has(name))
  const sameNames = shared || /\b(?:got|err|result|actual)\b/.test(former)
  if (!sameNames) return false
  const [, unequal] = /^(.{1,200}?) ?!==? ?\S/.exec(last) ?? []
  const [, bounded] = /^(?:!\()?(.{1,200}?) ?[<>]=? ?[^=<>]/.exec(present) ?? []
  if (unequal !== undefined && unequal === bounded) return true
  // That there is an error, or a value, in the place of which one.
  return COMPARES.test(former) && !COMPARES.test(now) && /^\w+ ?(?:==|!=) ?(?:nil|null|NULL|None)$/.test(present)
}

/** `got := total(); got != total()` */
const isSetToIt = (text: string): boolean => {
  const [, , set, compared] = /^(\w+) ?:= (.{1,200}); \1 ?[!=]= ?(.{1,200})$/.exec(text) ?? []
  return set !== undefined && set === compared
}

/** `got != got` */
function hasSameSides(part: string): boolean {
  const [left = '', right] = part.split(/ ?[!=]= ?/, 2)
  if (right !== undefined && left.trim() === right.trim()) return true
  const [, one, other] = /\b(?:Diff|Equal|DeepEqual|strcmp)\(([^(),]{1,100}), ?([^(),]{1,100})\)/.exec(part) ?? []
  return one !== undefined && one === other
}
