import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/*
 * In languages without assertions, a test says `if got != 3 { t.Error(…) }`: the condition is the assertion. If it is
 * true for fewer values, the test fails less often.
 */

const CONDITION = /^(?:(?:\}\s*)?(?:else )?if\b|case(?= .*[!=]=)) ?(.{1,500}?) ?(?:\{|:|then)?$/
/** The failure on the same line. */
const ON_ITS_LINE = /^(if ?\(.{1,500}\)) ?\{? ?((?:abort|exit|fail|return|failures?\+\+|throw|goto)\b.*)$/
/** The failure itself, on a line below. */
const FAILS =
  /(?:^|\W)(?:[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)|fail|abort|exit|panic!?|self\.fail|XCTFail)\s*\(|^(?:return (?:1|-1|false|EXIT_FAILURE);|failures?\+\+|throw |raise )/
const NEAR = 3
const COMPARES = /\berrors\.(?:Is|As)\(|\b(?:Equal|DeepEqual|Diff|EqualError|Contains|strcmp|memcmp|HasPrefix|equals)\(/

/** The number of conditions in former tests that are true for fewer values. */
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

/** The condition without a bracket around all of it. */
function conditionIn(plain: string): string | undefined {
  const whole = ON_ITS_LINE.exec(plain)?.[1] ?? plain
  return CONDITION.exec(whole)?.[1]?.replace(/^\((.*)\)$/, '$1')
}

const failsBelow = (lines: readonly PatchLine[], at: number): boolean => {
  const below = lines.slice(at, at + 1 + NEAR).filter(({ sign }) => sign !== '-')
  return below.some(({ plain }) => FAILS.test(plain))
}

/** The condition that a new one replaced. */
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
  // It only asks whether there is an error, or a value, instead of which one.
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
