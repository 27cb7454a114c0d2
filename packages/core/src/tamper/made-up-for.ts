import type { TestBlock } from './blocks.ts'
import * as code from './words.ts'

/*
 * Whether what a change adds makes up for tests that it removes: a test that calls mostly the same things, a row of a
 * table with the same values, or the same words in its name.
 */

/** What a change adds: tests, and lines of tests that were there before. */
export type Additions = { blocks: readonly TestBlock[]; lines: readonly string[] }

/** Whether an added test checks what this one did. */
export const hasSuccessor = (lost: TestBlock, { blocks }: Pick<Additions, 'blocks'>): boolean =>
  blocks.some((added) => isAbout(lost, added))

function isAbout(lost: TestBlock, added: TestBlock): boolean {
  const [former, now] = [factsOf(lost), factsOf(added)]
  if (now.isDisabled) return false
  if (former.calls.size === 0) return shareOf(former.words, now.words) >= 0.5
  return shareOf(former.calls, now.calls) >= 0.5 && shareOf(former.asserted, now.subjects) > 0.3
}

/** What a test is compared by. A change may have thousands, and each is compared with each. */
type Facts = {
  isDisabled: boolean
  calls: Set<string>
  words: Set<string>
  asserted: Set<string>
  subjects: Set<string>
}

const known = new WeakMap<TestBlock, Facts>()

function factsOf(test: TestBlock): Facts {
  const former = known.get(test)
  if (former) return former
  const { lines, title, assertions } = test
  const facts: Facts = {
    isDisabled: lines.some((line) => code.isDisabling(line)),
    calls: callsIn(lines),
    words: wordsOf(title),
    asserted: code.subjectsOf(assertions),
    subjects: code.subjectsOf(lines),
  }
  known.set(test, facts)
  return facts
}

/** Whether a table has got a row with every value that the test checked, of which there are at least two. */
export function isRow(lost: TestBlock, { lines }: Pick<Additions, 'lines'>): boolean {
  const values = literalsIn(lost.assertions)
  if (values.length < 2) return false
  return (rowsIn(lines).get(values[0] ?? '') ?? []).some((own) => values.every((value) => own.has(value)))
}

const rows = new WeakMap<readonly string[], Map<string, Set<string>[]>>()

/** The values of each row of a table, by each of them. */
function rowsIn(lines: readonly string[]): Map<string, Set<string>[]> {
  const former = rows.get(lines)
  if (former) return former
  const found = new Map<string, Set<string>[]>()
  for (const line of lines) {
    if (!/^[[({].*[\])}],?$|^\|.*\|$|^\w+:.*\{.*\},?$/.test(line)) continue
    const own = new Set(literalsIn([line]))
    for (const value of own) {
      const others = found.get(value)
      if (others) others.push(own)
      else found.set(value, [own])
    }
  }
  rows.set(lines, found)
  return found
}

const sets = new WeakMap<readonly string[], Set<string>>()

/** These lines, to be asked for by their text. */
export function setOf(lines: readonly string[]): ReadonlySet<string> {
  const set = sets.get(lines) ?? new Set(lines)
  sets.set(lines, set)
  return set
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
  let shared = 0
  for (const word of some) if (others.has(word)) shared += 1
  return shared / some.size
}
