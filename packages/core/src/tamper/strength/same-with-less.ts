import type { PatchLine } from '../patch.ts'
import { isAssertion, isClosed, isComment } from '../words.ts'
import { isOpening } from './empty.ts'

/*
 * A line of a test that differs only in a part that demands less: a missing argument, a value that may be anything, a
 * more general class of errors, a wider tolerance. Both lines are compared word by word.
 */

const WORD = /"(?:[^"\\]|\\.){0,500}"|'(?:[^'\\]|\\.){0,500}'|`[^`]{0,500}`|\d[\d._]*(?:[eE][+-]?\d+)?|[\w$]+|\S/g
const MOST_LINES = 5000
const MOST_ALIKE = 20
const MOST_TEXT = 20_000

/** It may ask for only a part of its subject, so fewer words demand less. */
const IN_PART =
  /\b(?:toMatchObject|objectContaining|toThrow\w*|rejects|throws(?:Async)?(?= ?\()|raises|assertRaises\w*|must_raise|raise_error|rejectedWith|have_attributes|should_panic|hasMessage\w*|withMessage\w*|toMatchInlineSnapshot|toHaveBeenCalledWith|calledWith|assert_raise)\b/
/** Calls that expect errors. */
const OF_ERRORS =
  /\b(?:toThrow\w*|throws(?:Async)?(?= ?\()|\w+Throws\w*|Throws\w*|raises|assertRaises\w*|must_raise|raise_error|rejects|rejectedWith|assert_raise|expectException|expected ?=|EXPECT_THROW|REQUIRE_THROWS_AS)\b/
const ROOT = /^(?:Exception|BaseException|Throwable|RuntimeException|StandardError|Error|Object)$/
/** Matches any value. */
const ANYTHING =
  /^(?:(?:mock|unittest\.mock|gomock|Mockito|ArgumentMatchers|sinon\.match|mock\.match|expect|It)\.)?(?:ANY|Anything|anything\(\)|any\w*\([\w.]*\)|Any\w*(?:<\w+>)?\(\w*\)|IsAny<\w+>\(\)|an_instance_of\(\w+\)|kind_of\(\w+\)|_)$/
/** Text in front of the required part of an error's message. */
const SAYS_WHICH =
  /(?:\bmatch ?= ?|\btoThrow\w* ?\( ?|\braise_error ?\(.*, ?|Regex ?\(.*, ?|Message\w* ?\( ?|\bexpected ?= ?)$/
/** Every text contains it. */
const EMPTY = /^(["'`/])(?:\.\*)?\1$/
/** Any number of calls, even none; or a comparison that is always true. */
const NOT_AT_ALL = /\b(?:atLeast|times|atMost|AtLeast) \( 0 \)|\bMinTimes \( 0 \)|\bComparer \(.*\breturn true\b/
const VERIFIES = /^(?:verify|expect|assert)|\.(?:assert_\w+_with|toHaveBeenCalled\w*|should)\b|\bhave_received\b/

const DELTA =
  /(?:\b(?:abs|rel|delta|atol|rtol|epsilon|tolerance|rel_tol|abs_tol|max_relative) ?= ?|\b(?:InDelta|InEpsilon|in_delta|in_epsilon|EXPECT_NEAR|ASSERT_NEAR|assert_in_delta|assert_in_epsilon|closeTo|approximately|\w+WithDelta|within|be_within|offset|BeApproximately|WithinAbs|WithinRel|Within) ?\(.*[ (,]|\bassert_in_(?:delta|epsilon) .*[ ,])$/
const DIGITS = /(?:\b(?:places|decimal) ?= ?|\btoBeCloseTo ?\(.*, ?)-?$/

/** The number of lines that demand less than those that they replace. */
export function sameWithLess(lines: readonly PatchLine[]): number {
  const came = lines.filter(({ sign }) => sign === '+').map(({ plain }) => plain)
  const went = lines.filter(({ sign }) => sign === '-').map(({ plain }) => plain)
  const [now, before] = [new Set(came), new Set(went)]
  const alike = new Map<string, Line[]>()
  for (const plain of came.filter((line) => !before.has(line) && isAsking(line)).slice(0, MOST_LINES)) {
    const line = read(plain)
    const known = alike.get(line.head)
    if (known === undefined) alike.set(line.head, [line])
    else if (known.length < MOST_ALIKE) known.push(line)
  }
  const elsewhere = came.join('\n').slice(0, MOST_TEXT)
  let count = 0
  for (const plain of went.filter((line) => !now.has(line) && isAsking(line)).slice(0, MOST_LINES)) {
    const former = read(plain)
    const found = (alike.get(former.head) ?? []).findIndex((line) => asksForLess(former, line, elsewhere))
    if (found < 0) continue
    alike.get(former.head)?.splice(found, 1)
    count += 1
  }
  return count
}

const isAsking = (line: string): boolean =>
  !isComment(line) &&
  isWhole(line) &&
  (/\bcmp\.(?:Diff|Equal)\(/.test(line) ||
    isAssertion(line) ||
    OF_ERRORS.test(line) ||
    VERIFIES.test(line) ||
    IN_PART.test(line))

/** Whether no part of it is on another line. */
export const isWhole = (line: string): boolean =>
  isClosed(line) &&
  line.split('`').length % 2 === 1 &&
  (line.endsWith(';') || !(isOpening(line) || line.endsWith('.Should()')))

/** `head`: the least that a line and its replacement have in common. */
type Line = { plain: string; words: readonly string[]; head: string }

function read(plain: string): Line {
  const words = plain.replace(/ +(?:\/\/|#) .*$/, '').match(WORD) ?? []
  const own = plain.replace(/^(?:self::|static::|\$this->|self\.|await )/, '').match(/^\W*[\w$]+/)?.[0] ?? ''
  return { plain, words, head: /^\W*(?:assert|self)/.test(own) ? (words[0] ?? '') : own }
}

function asksForLess(former: Line, now: Line, elsewhere: string): boolean {
  const [was, is] = [former.words, now.words]
  let from = 0
  while (from < Math.min(was.length, is.length) && was[from] === is[from]) from++
  let end = 0
  while (end < Math.min(was.length, is.length) - from && was.at(-1 - end) === is.at(-1 - end)) end++
  const gone = was.slice(from, was.length - end)
  const came = is.slice(from, is.length - end)
  const context = `${is.slice(0, from).join(' ')} `
  if (hasWiderErrors(former, now) || isRounded(former.plain, now.plain) || isFarOff(former.plain, now.plain))
    return true
  // Another `t` instead of the test's own.
  if (gone.join('') === 't' && /^\w+$/.test(came.join('')) && /\b(?:assert|require) \. \w+ \( $/.test(context))
    return true
  if (gone.length === 0 && NOT_AT_ALL.test(came.join(' '))) return true
  if (gone.length > 0 && /\bAnyNumber \( \)?/.test(came.join(' '))) return true
  if (came.length === 0)
    return (
      gone.some((word) => !/^(?:await|return)$/.test(word)) &&
      IN_PART.test(former.plain) &&
      !isSaidElsewhere(gone, elsewhere)
    )
  if (EMPTY.test(came.join('')) && SAYS_WHICH.test(context) && /^["'`/]/.test(gone[0] ?? '')) return true
  if (gone.length > 0 && ANYTHING.test(came.join('')) && !ANYTHING.test(gone.join('')))
    return isAssertion(now.plain) || VERIFIES.test(now.plain)
  return isWider(context, gone, came, former.plain)
}

/** Whether it accepts any error instead of a certain one. */
function hasWiderErrors({ words: was }: Line, { plain, words: is }: Line): boolean {
  if (!OF_ERRORS.test(plain)) return false
  const own = new Set(is)
  const narrower = was.filter((word) => /^[A-Z]\w*$/.test(word) && !ROOT.test(word) && !own.has(word))
  const isRoot = (word: string, at: number) => ROOT.test(word) && !/^[.:]$/.test(is[at - 1] ?? '')
  return narrower.length > 0 && is.some((word, at) => isRoot(word, at) && !was.includes(word))
}

/** `expect(Math.round(total)).toBe(4)` for `expect(total).toBe(3.75)`. */
function isRounded(former: string, now: string): boolean {
  const [, about] =
    /^(?:await )?expect\((.{1,300})\)\.(?:not\.)?to/.exec(former) ?? /^assert (.{1,300}?) == /.exec(former) ?? []
  if (about === undefined || WRAPPED.test(about)) return false
  const found = now.indexOf(`(${about})`)
  return found > 0 && WRAPPED.test(now.slice(0, found + 1))
}

const WRAPPED = /\b(?:Math\.(?:round|floor|ceil|trunc|sign)|Boolean|bool|round|int)\(/

/** A tolerance of one or more, without one before. */
function isFarOff(former: string, now: string): boolean {
  const far = FAR_OFF.exec(now)?.slice(1).find(Boolean)
  return far !== undefined && Number(far) >= 1 && !FAR_OFF.test(former) && !isTolerant(former)
}

const FAR_OFF =
  /\b(?:be_within|margin|withMargin|offset|within|withPercentage|withinPercentage)\((\d[\d.]*)|\b(?:BeCloseTo|BeApproximately)\(.{1,100}, ?(\d[\d.]*)/

const isSaidElsewhere = (gone: readonly string[], elsewhere: string): boolean =>
  gone.filter((word) => /\w/.test(word)).every((word) => elsewhere.includes(word))

/** Whether a tolerance is ten times as wide, has two digits less, or is new and unlimited. */
function isWider(context: string, gone: readonly string[], came: readonly string[], former: string): boolean {
  const number = (words: readonly string[]): number => Number(words.join('').replace(/[_,)a-zA-Z=(]+(?![+-]?\d)/g, ''))
  const [was, is] = [Number(gone.join('').replaceAll('_', '')), Number(came.join('').replaceAll('_', ''))]
  if (gone.length > 0 && !Number.isNaN(was) && !Number.isNaN(is)) {
    if (DIGITS.test(context)) return is <= was - 2 || (is <= 0 && was > 0)
    return DELTA.test(context) && is >= was * 10 && is > was
  }
  const text = context + came.join(' ')
  const last = /(\d[\d.]*(?:[eE][+-]?\d+)?)[ )]*[;:]?$/.exec(text)
  if (last === null) return false
  const value = Number(last[1])
  const before = text.slice(0, last.index)
  if (isTolerant(former)) {
    const own = /(\d[\d.]*(?:[eE][+-]?\d+)?)\)*[;:]?$/.exec(former)?.[1]
    return DELTA.test(before) && value >= 1 && Number(own) < 1
  }
  if (DIGITS.test(before)) return value <= 0 || before.endsWith('-')
  if (DELTA.test(before)) return value >= 1
  // JUnit's assertEquals takes a tolerance, too.
  return (
    gone.length === 0 &&
    /^,[\d.]+[dfDF]?$/.test(came.join('')) &&
    number(came.slice(1)) >= 1 &&
    /\bassertEquals\(/.test(former)
  )
}

const isTolerant = (line: string): boolean =>
  /\b(?:approx|toBeCloseTo|closeTo|InDelta|InEpsilon|in_delta|NEAR|AlmostEqual|within|be_within|isCloseTo|WithDelta|BeApproximately|delta|Within\w*)\b/.test(
    line,
  )
