import type { TestBlock } from './blocks.ts'
import * as code from './words.ts'

/*
 * Whether the additions of a change make up for tests that it removes: a test with mostly the same calls, a row of a
 * table with the same values, or the same words in a name.
 */

/** The additions of a change: tests, and lines in existing tests. */
export type Additions = { blocks: readonly TestBlock[]; lines: readonly string[] }

/** Whether an added test replaces this one. */
export function hasSuccessor(lost: TestBlock, { blocks }: Pick<Additions, 'blocks'>): boolean {
  const { calls, words } = factsOf(lost)
  const { byCall, byWord } = indexOf(blocks)
  const near = calls.size > 0 ? nearest(calls, byCall) : words.size > 0 ? nearest(words, byWord) : blocks
  return near.some((added) => isAbout(lost, added))
}

type ByName = Map<string, TestBlock[]>

const indexes = new WeakMap<readonly TestBlock[], { byCall: ByName; byWord: ByName }>()

/** Tests by their calls and title words, so that thousands of removed and added ones are not compared in pairs. */
function indexOf(blocks: readonly TestBlock[]): { byCall: ByName; byWord: ByName } {
  const former = indexes.get(blocks)
  if (former) return former
  const index = { byCall: new Map(), byWord: new Map() }
  for (const block of blocks) {
    const { calls, words } = factsOf(block)
    for (const name of calls) put(index.byCall, name, block)
    for (const word of words) put(index.byWord, word, block)
  }
  indexes.set(blocks, index)
  return index
}

function put(index: ByName, name: string, block: TestBlock): void {
  const all = index.get(name)
  if (all) all.push(block)
  else index.set(name, [block])
}

/** Every test that may have half of these names: it has one of any half plus one, so the rarest are looked up. */
function nearest(names: ReadonlySet<string>, index: ByName): TestBlock[] {
  const lists = [...names].map((name) => index.get(name) ?? []).toSorted((a, b) => a.length - b.length)
  return lists.slice(0, Math.floor(names.size / 2) + 1).flat()
}

function isAbout(lost: TestBlock, added: TestBlock): boolean {
  const [former, now] = [factsOf(lost), factsOf(added)]
  if (now.isDisabled) return false
  if (former.calls.size === 0) return shareOf(former.words, now.words) >= 0.5
  return shareOf(former.calls, now.calls) >= 0.5 && shareOf(former.asserted, now.subjects) > 0.3
}

/** The facts by which tests are compared. They are kept, because thousands are compared with each other. */
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

/** Whether a table got a row with every value of the test, if it has at least two. */
export function isRow(lost: TestBlock, { lines }: Pick<Additions, 'lines'>): boolean {
  const values = literalsIn(lost.assertions)
  if (values.length < 2) return false
  return (rowsIn(lines).get(values[0] ?? '') ?? []).some((own) => values.every((value) => own.has(value)))
}

const rows = new WeakMap<readonly string[], Map<string, Set<string>[]>>()

/** The values of each row of a table, by value. */
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

/** These lines as a set, for looking up their texts. */
export function setOf(lines: readonly string[]): ReadonlySet<string> {
  const set = sets.get(lines) ?? new Set(lines)
  sets.set(lines, set)
  return set
}

/** Whether these lines name everything that the lost line did, with its values. */
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
