import { NEAR } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/* Complete tests in a form that their runner does not start, or whose lines it never runs. */

/** A JavaScript test that returns a function instead of running its content. */
const GIVES_BACK = /^((?:test|it)\(.{1,300}?, ?)(?:async )?\(\w*\) => (?:async )?(?:\(\w*\) =>|function\b.{0,100}) ?\{$/
/** Java's runner ignores private methods. */
const PRIVATE = /^private (?:static )?void (\w+)\(/
/** It is called for each value of an empty list. */
const OF_NONE =
  /@[\w.]*(?:ValueSource|CsvSource|MethodSource|EnumSource)\((?:\w+ ?= ?)?\{ ?\}\)|\b(?:test|it|describe)\.each\(\[\]\)\(/

/** Former tests whose lines no runner reaches. */
export function neverStarted(lines: readonly PatchLine[]): number {
  const former = lines.flatMap(({ sign, plain }) => (sign === '-' ? [plain] : []))
  const gone = new Set(former)
  const begins = new Set(former.flatMap((plain) => /^((?:test|it)\(.{1,300}?, ?)(?:async )?\(/.exec(plain)?.[1] ?? []))
  const methods = new Set(former.flatMap((plain) => /^(?!private\b)(?:\w+ )*void (\w+)\(/.exec(plain)?.[1] ?? []))
  const goes = new Set(former.filter((plain) => code.isAssertion(plain)))
  const idle = lines.filter(({ sign, plain }, at) => {
    if (sign !== '+') return false
    // Nothing awaits it, and it awaits nothing.
    const awaited = /^async (def test\w*\(.*)$/.exec(plain)?.[1]
    if (awaited !== undefined && gone.has(awaited)) return !waitsBelow(lines, at)
    if (plain.startsWith('_ = func('))
      return lines[at - 1]?.sign === '-' && /^\w+\.Run\(/.test(lines[at - 1]?.plain ?? '')
    const head = GIVES_BACK.exec(plain)?.[1]
    const method = PRIVATE.exec(plain)?.[1]
    return (
      (head !== undefined && begins.has(head)) || (method !== undefined && methods.has(method) && isMarked(lines, at))
    )
  }).length
  const yielded = lines.filter(
    ({ sign, plain }) => sign === '+' && goes.has(/^yield (.*)$/.exec(plain)?.[1] ?? ''),
  ).length
  const none = (sign: '+' | '-') => lines.filter((line) => line.sign === sign && OF_NONE.test(line.plain)).length
  return idle + yielded + Math.max(0, none('+') - none('-'))
}

const waitsBelow = (lines: readonly PatchLine[], at: number): boolean => {
  const below = lines.slice(at + 1, at + 1 + NEAR).filter(({ sign }) => sign !== '-')
  const end = below.findIndex(({ plain }) => /^(?:async )?(?:def|class) /.test(plain))
  return (end < 0 ? below : below.slice(0, end)).some(({ plain }) => /\b(?:await|async)\b/.test(plain))
}

/** Whether a method has the annotation of a test above it. */
const isMarked = (lines: readonly PatchLine[], at: number): boolean =>
  lines
    .slice(Math.max(0, at - 5), at)
    .filter(({ sign }) => sign !== '-')
    .slice(-3)
    .some(({ plain }) => /^@(?:[\w.]+\.)?Test\b/.test(plain))
