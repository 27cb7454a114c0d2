import { quotedLine, shortName } from '../finding-words.ts'
import type { ChangedFile, PatchLine } from '../patch.ts'
import { importedFrom, type Places } from '../project-modules.ts'
import * as code from '../words.ts'

/*
 * A complete test that calls its own code, because something in it has the name of the tested code: a fixture, a
 * parameter, a function beside it, a variable of the project's code that an `init` of the tests sets.
 */

type Tests = { file: ChangedFile; lines: readonly PatchLine[] }

/** `def test_total(total):`, `test('adds', ({ total }) => {`: the parameters of a test. */
const TAKES =
  /^(?:async )?def test\w*\(([^)]{1,300})\)|^(?:it|test)\b.*(?:\(\{ ?([\w, ]{1,300}) ?\}(?:, ?\w+)*\)|\b(\w+)) ?=>/

/** By the extension of a test's file: a line that defines a top-level function. */
const DEFINES: readonly (readonly [RegExp, RegExp])[] = [
  [/_test\.go$/, /^(\w+) :?= func\(|^var (\w+) = func\(/],
  [/\.rs$/, /^fn (\w+)\(/],
  [/\.(?:c|cc|cpp|cxx|h|hpp)$/, /^# ?define (\w+)\(/],
]
/** An `init` of Go's tests sets a variable that the project's own code calls. */
const SETS = /^(\w+) = func\(/
const MOST_CALLS = 500

/** One sentence for each file. */
export function shadowedNames(tests: readonly Tests[], known: Places): string[] {
  return tests.flatMap(({ file, lines }) => {
    if (file.status === 'D') return []
    const found =
      setByInit(file, lines) ??
      (file.status === 'A' ? undefined : (takenAsParameter(file, lines, known) ?? definedBeside(file, lines)))
    return found === undefined
      ? []
      : [`${shortName(file.path)} has something of its own in the place of what it tests (${quotedLine(found)})`]
  })
}

/** Names of functions that lines call, without methods. */
const calledIn = (lines: readonly PatchLine[]): ReadonlySet<string> =>
  new Set(lines.flatMap(({ plain }) => [...plain.matchAll(/(?<![\w.$])(\w+)\(/g)].map(([, name = '']) => name)))

function takenAsParameter(file: ChangedFile, lines: readonly PatchLine[], known: Places): string | undefined {
  const names = importedFrom(file, lines, known, ' +-')
  if (names.size === 0) return undefined
  const former = new Set(lines.flatMap(({ sign, plain }) => (sign === '-' ? parametersOf(plain) : [])))
  const called = calledIn(lines.filter(({ sign, plain }) => sign === ' ' && code.isAssertion(plain)))
  return lines.find(
    ({ sign, plain }) =>
      sign === '+' && parametersOf(plain).some((name) => names.has(name) && !former.has(name) && called.has(name)),
  )?.plain
}

const parametersOf = (plain: string): string[] =>
  (TAKES.exec(plain)?.slice(1).find(Boolean) ?? '').split(',').flatMap((one) => /^\w+/.exec(one.trim())?.[0] ?? [])

/** A new function in a test's file whose name assertions called before. */
function definedBeside({ path }: ChangedFile, lines: readonly PatchLine[]): string | undefined {
  const pattern = DEFINES.find(([name]) => name.test(path))?.[1]
  if (pattern === undefined) return undefined
  const definedBefore = new Set(
    lines.flatMap(({ sign, plain }) => (sign === '+' ? [] : (pattern.exec(plain)?.slice(1).find(Boolean) ?? []))),
  )
  const called = calledIn(lines.filter(({ sign, plain }) => sign === ' ' && code.asks(plain)).slice(0, MOST_CALLS))
  return lines.find(({ sign, plain }, at) => {
    const name = sign === '+' ? pattern.exec(plain)?.slice(1).find(Boolean) : undefined
    if (name === undefined || definedBefore.has(name)) return false
    if (path.endsWith('.rs') && lines.slice(Math.max(0, at - 2), at).some((line) => /^#\[.*test/.test(line.plain)))
      return false
    return called.has(name)
  })?.plain
}

function setByInit({ path }: ChangedFile, lines: readonly PatchLine[]): string | undefined {
  if (!path.endsWith('_test.go')) return undefined
  let within = false
  return lines.find(({ sign, plain }) => {
    if (sign === '-') return false
    if (plain.startsWith('func ')) within = plain.startsWith('func init()')
    return within && sign === '+' && SETS.test(plain)
  })?.plain
}
