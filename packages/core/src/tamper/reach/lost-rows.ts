import { opener } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/* Tables of tests, and loops in tests, that lost rows. */

/** The most former loops in one file: honest changes have fewer. */
const MOST_FORMER = 500

const table =
  /\.each\b|parametrize\b|\[\]struct\b|\bmap\[\w+\]struct\b|CsvSource|ValueSource|MethodSource|DataProvider|::testing::Values\(|^\}\{$|\b(?:\w*[cC]ases|tests|table|scenarios|examples)\b[^=(]{0,40}:?= ?[^=].{0,40}[[{(]$/
const row = /^(?:[[({].*[\])}],?|\|.*\||pytest\.param\(.*\),?|["'].*[}\]),"'],?|\w+:.*\{.*\},?)$/
const rowOfItsOwn = /^(?:\[(?:InlineData|TestCase|DataRow)\(|#\[(?:case|test_case)\b|@(?:TestWith|testWith)\b)/

/** Lost rows of tables of tests that no row or test makes up for. */
export function lostRows(lines: readonly PatchLine[]): number {
  const values = new Set(lines.flatMap(({ sign, plain }) => (sign === '+' ? valuesIn(plain) : [])))
  let lost = 0
  for (const [at, { sign, plain }] of lines.entries()) {
    // The same values may be in another form.
    if (sign === '-' && isRow(lines, at, sign) && !valuesIn(plain).every((value) => values.has(value))) lost += 1
    if (sign === '+' && (isRow(lines, at, sign) || code.isDeclaration(plain))) lost -= 1
  }
  return Math.max(0, lost) + shortened(lines) + cutLoops(lines)
}

/** A table, or the list of a loop. */
const oneLine = new RegExp(`${table.source}|^for\\b.* (?:in|of) \\[`)

/** Tables on one line that now have only a part of their values. */
function shortened(lines: readonly PatchLine[]): number {
  const tables = (sign: '+' | '-') =>
    lines.flatMap(({ sign: own, plain }) => {
      const [, head, values] =
        (own === sign && oneLine.test(plain) && /^(.*?)(?:\[|\{|Values\()(.*)(?:\]|\}|\))/.exec(plain)) || []
      return head === undefined || values === undefined ? [] : [{ head, values: valuesIn(values) }]
    })
  const now = tables('+')
  return tables('-').filter(({ head, values }) =>
    now.some(
      (after) =>
        after.head === head &&
        after.values.length < values.length &&
        after.values.every((value) => values.includes(value)),
    ),
  ).length
}

/** Behind the list of a loop or a table: takes only some of it, or nothing. */
const CUT =
  /^(?:\[(?:\d*:\d*|:\d+|\d+\.\.\d*|\.\.\d+)\]|\.(?:slice|take|first|head|limit|Take|filter|subList|skip|islice)\(.*\)|\.(?:into_)?iter\(\)\.(?:take|skip)\(.*\)|\.first\b)+/

/** Loops and tables that are the same but use only a part of their list. */
function cutLoops(lines: readonly PatchLine[]): number {
  const loops = /^(?:for|while)\b|\bparametrize\(|\]\)?\)?\(|\]\.\w+\(|\.each\b|\bdo \|/
  const [former, came] = (['-', '+'] as const).map((own) =>
    lines.filter(({ sign, plain }) => sign === own && loops.test(plain)).slice(0, MOST_FORMER),
  )
  const firsts = new Set(
    lines.flatMap(({ sign, plain }) => (sign === '+' ? (/^(\w+ :?= \w+)\[\d+\]$/.exec(plain)?.[1] ?? []) : [])),
  )
  return (former ?? []).filter(
    ({ plain: was }) =>
      firsts.has(was.replace(/^for _, (\w+) := range (\w+) \{$/, '$1 := $2')) ||
      came?.some(({ plain: now }) => {
        if (now.length <= was.length) return false
        let same = 0
        while (same < was.length && was[same] === now[same]) same++
        return now.endsWith(was.slice(same)) && CUT.test(now.slice(same, now.length - (was.length - same)).trim())
      }),
  ).length
}

const valuesIn = (line: string): string[] => line.match(/[\w.-]+/g) ?? []

function isRow(lines: readonly PatchLine[], at: number, sign: '+' | '-'): boolean {
  const plain = lines[at]?.plain ?? ''
  if (rowOfItsOwn.test(plain)) return staysBelow(lines, at)
  if (!row.test(plain)) return false
  const near = opener(lines, at, sign)
  // The list may begin on its own line.
  const above = lines[/^[[(]$/.test(lines[near]?.plain ?? '') ? opener(lines, near, sign) : near]
  // The table itself is still there: other rules look at removed tests.
  return above !== undefined && above.sign === ' ' && table.test(above.plain)
}

const staysBelow = (lines: readonly PatchLine[], at: number): boolean =>
  lines.slice(at + 1, at + 20).find(({ plain }) => code.functionOf(plain) !== null)?.sign === ' '
