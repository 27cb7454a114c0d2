import type { TestBlock } from './blocks.ts'
import * as code from './words.ts'

/*
 * Whether what a change adds makes up for tests that it removes: a test that calls mostly the same things, a row of a
 * table with the same values, or the same words in its name.
 */

/** What a change adds: tests, and lines of tests that were there before. */
export type Additions = { blocks: readonly TestBlock[]; lines: readonly string[] }

/** The added tests that check what this one did; empty: none. */
export const successorsOf = (lost: TestBlock, { blocks }: Pick<Additions, 'blocks'>): TestBlock[] =>
  blocks.filter((added) => isAbout(lost, added))

function isAbout(lost: TestBlock, added: TestBlock): boolean {
  if (added.lines.some((line) => code.isDisabling(line))) return false
  const calls = callsIn(lost.lines)
  if (calls.size === 0) return shareOf(wordsOf(lost.title), wordsOf(added.title)) >= 0.5
  return (
    shareOf(calls, callsIn(added.lines)) >= 0.5 &&
    shareOf(code.subjectsOf(lost.assertions), code.subjectsOf(added.lines)) > 0.3
  )
}

/** Whether a table has got a row with every value that the test checked, of which there are at least two. */
export function isRow(lost: TestBlock, { lines }: Pick<Additions, 'lines'>): boolean {
  const values = literalsIn(lost.assertions)
  if (values.length < 2) return false
  return lines.some((line) => {
    if (!/^[[({].*[\])}],?$|^\|.*\|$|^\w+:.*\{.*\},?$/.test(line)) return false
    const own = new Set(literalsIn([line]))
    return values.every((value) => own.has(value))
  })
}

/** Whether these lines name everything that the lost one did, with its values. */
export function isWithin(lost: string, gained: readonly string[]): boolean {
  const [subjects, all] = [code.subjectsOf([lost]), code.subjectsOf(gained)]
  const [values, allValues] = [literalsIn([lost]), new Set(literalsIn(gained))]
  if (subjects.size === 0) return false
  return [...subjects].every((name) => all.has(name)) && values.every((value) => allValues.has(value))
}

const literalsIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    [...line.matchAll(/(["'`])(.{0,100}?)\1|\b\d[\d_.]*/g)].map(([text]) => text.replace(/^["'`]|["'`]$/g, '')),
  )

/** Names before a bracket, without those of the test library. */
function callsIn(lines: readonly string[]): Set<string> {
  const calls = lines.flatMap((line) =>
    [...line.matchAll(/([A-Za-z_$][\w$]{0,99})!?\s*[(]/g)].map(([, name]) => name ?? ''),
  )
  return code.subjectsOf(calls)
}

const wordsOf = (title: string): Set<string> =>
  new Set(
    title
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .filter((word) => word.length > 2 && word !== 'test'),
  )

function shareOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (some.size === 0) return 1
  return [...some].filter((word) => others.has(word)).length / some.size
}
