import { isAsked, type Removals } from './asked.ts'
import { testBlocks, type Blocks, type TestBlock } from './blocks.ts'
import { writtenOut } from './written-out/written-out.ts'
import { opener } from './indentation.ts'
import { hasSuccessor, isRow, setOf, type Additions } from './made-up-for.ts'
import { patchLines, plainText, removedTexts, type ChangedFile, type PatchLine } from './patch.ts'
import { inlineTests, mayHoldTests } from '../files/names-of-tests.ts'
import * as code from './words.ts'

/** Lines in plain form. `bodies`: assertions that count as often as they are written out, in a helper or a loop. */
export type Side = { assertions: string[]; bodies: string[]; tests: string[]; markers: string[] }

/** The changes to the tests of one file, without removals that the bead asked for. */
export type TestChange = {
  file: ChangedFile
  lines: readonly PatchLine[]
  blocks: Blocks
  removed: Side
  added: Side
  /** Assertions by the name of their test; '': unknown. */
  ofTests: Map<string, { removed: string[]; added: string[] }>
  /** Markers on new tests. */
  fresh: Side['markers']
  /** `hidden`: lines of tests that are comments now; `comments`: all added comments. */
  hidden: number
  comments: string[]
  /** The bead asked to remove the file. */
  asked: boolean
}

export function testChange(file: ChangedFile, removals: Removals): TestChange {
  const { path, patch } = file
  const { lines: all, counted } = writtenOut(patchLines(patch, mayHoldTests(path) ? inlineTests : undefined))
  const blocks = testBlocks(all)
  const askedTests = new Set(blocks.removed.filter((block) => isAskedTest(path, block, removals)))
  const titles = new Set([...askedTests].map(({ title }) => title))
  const asked = file.status === 'D' && isAsked(removals, { path })
  const isWanted = (line: PatchLine) =>
    asked || titles.has(blocks.ownerOf.get(line) ?? '') || isAsked(removals, { path, line: line.plain })
  const keep = (line: PatchLine) =>
    line.sign === '-'
      ? !isWanted(line)
      : code.skipMarker(path, line.plain) === null || !isAsked(removals, { path, line: line.plain })
  const lines = removals.length === 0 ? all : all.filter(keep)
  const places = new Map(lines.map((line, at) => [line, at]))
  const side = (sign: '+' | '-'): Side => {
    const own = lines.filter((line) => line.sign === sign)
    const texts = own.map(({ plain }) => plain)
    const isMarker = (line: PatchLine) =>
      code.skipMarker(path, line.plain) !== null && !isBesideTests(lines, places.get(line) ?? 0)
    const asserts = own.filter(({ plain }) => code.isAssertion(plain))
    return {
      assertions: asserts.filter((line) => !counted.has(line)).map(({ plain }) => plain),
      bodies: asserts.filter((line) => counted.has(line)).map(({ plain }) => plain),
      tests: texts.filter(code.isDeclaration),
      markers: own.filter(isMarker).map(({ plain }) => plain),
    }
  }
  const known = { ...blocks, removed: blocks.removed.filter((block) => !asked && !askedTests.has(block)) }
  return {
    file,
    lines,
    blocks: known,
    removed: side('-'),
    added: side('+'),
    ofTests: assertionsOfTests(
      lines.filter((line) => !counted.has(line)),
      blocks,
    ),
    fresh: lines.filter((line) => blocks.fresh.has(line)).map(({ plain }) => plain),
    hidden: linesMadeComments(lines),
    comments: lines.filter(({ sign, plain }) => sign === '+' && code.isComment(plain)).map(({ plain }) => plain),
    asked,
  }
}

const DEEPEST = 4

/** Whether a marker skips no test: it is on a helper, or in a fixture that no former test asks for. */
const isBesideTests = (lines: readonly PatchLine[], at: number): boolean =>
  isOfNewFixture(lines, at) || isOfHelper(lines, at)

/** Whether a marker is in a new fixture of pytest that no former test asks for. A runner says what it skips. */
function isOfNewFixture(lines: readonly PatchLine[], at: number): boolean {
  const line = lines[at]
  if (line?.sign !== '+' || !/\bpytest\.(?:skip|importorskip)\(/.test(line.plain)) return false
  let head = opener(lines, at, '+')
  for (let up = 0; up < DEEPEST && /^(?:if|else|elif|try|except|with)\b/.test(lines[head]?.plain ?? ''); up++)
    head = opener(lines, head, '+')
  const first = lines[head]
  const name = first?.sign === '+' ? /^(?:async )?def (\w+)\(/.exec(first.plain)?.[1] : undefined
  if (!first || name === undefined || code.isDeclaration(first.plain)) return false
  const above = lines.slice(Math.max(0, head - 3), head).findLast(({ plain }) => plain.startsWith('@'))
  if (above?.sign !== '+' || !/^@pytest\.fixture\b(?!.*autouse)/.test(above.plain)) return false
  const asks = new RegExp(`\\b(?:def \\w+\\(.*\\b${name}\\b|usefixtures\\(.*\\b${name}\\b)`)
  return !lines.some(({ sign, plain }) => sign === ' ' && asks.test(plain))
}

/** Whether a Rust condition is on a helper, or on its needs, rather than on a test. */
function isOfHelper(lines: readonly PatchLine[], at: number): boolean {
  const line = lines[at]
  if (!line?.plain.startsWith('#[cfg(')) return false
  const isAttribute = ({ plain }: PatchLine): boolean => plain.startsWith('#[')
  const there = (some: readonly PatchLine[]): PatchLine[] =>
    some.filter(({ sign }) => sign === ' ' || sign === line.sign)
  const above = there(lines.slice(Math.max(0, at - NEAR), at)).toReversed()
  const below = there(lines.slice(at + 1, at + 1 + NEAR))
  const first = (some: readonly PatchLine[]): number => [...some.map(isAttribute), false].indexOf(false)
  const attributes = [...above.slice(0, first(above)), ...below.slice(0, first(below))]
  return (
    !attributes.some(({ plain }) => code.isDeclaration(plain)) &&
    !/^(?:pub )?mod\b/.test(below[first(below)]?.plain ?? '')
  )
}
/** More attributes than any item has. */
const NEAR = 12

const isAskedTest = (path: string, { title, lines }: TestBlock, removals: Removals): boolean =>
  isAsked(removals, { path, title }) ||
  (lines.length <= 30 && lines.slice(1).some((line) => isAsked(removals, { path: '', line })))

function assertionsOfTests(lines: readonly PatchLine[], { ownerOf }: Blocks): TestChange['ofTests'] {
  const found: TestChange['ofTests'] = new Map()
  for (const line of lines) {
    if (line.sign === ' ' || !code.isAssertion(line.plain)) continue
    const owner = ownerOf.get(line) ?? ''
    const both = found.get(owner) ?? { removed: [], added: [] }
    both[line.sign === '-' ? 'removed' : 'added'].push(line.plain)
    found.set(owner, both)
  }
  return found
}

/** Everything that a change adds to tests. */
export function additionsOf(tests: readonly TestChange[]): Additions & { titles: Set<string> } {
  const blocks = tests.flatMap((one) => one.blocks.added)
  const lines = tests.flatMap((one) => one.lines.filter(({ sign }) => sign === '+').map(({ plain }) => plain))
  const live = blocks.filter(({ lines: [first = ''] }) => !code.isDisabling(first))
  return { blocks: live, lines, titles: new Set(live.map(({ title }) => title)) }
}

/** Tests of a file that no longer exist under their names. */
export const lostTests = ({ blocks }: TestChange, titles: ReadonlySet<string>): TestBlock[] =>
  blocks.removed.filter(
    ({ bodyStays, title, lines: [first = ''] }) =>
      !bodyStays && title !== '' && !titles.has(title) && !code.isDisabling(first),
  )

/** Whether another addition of the change replaces the test. */
export const isReplaced = (lost: TestBlock, additions: Additions): boolean =>
  isRow(lost, additions) || hasSuccessor(lost, additions) || isMoved(lost, additions)

const isMoved = ({ assertions }: TestBlock, { lines }: Additions): boolean =>
  assertions.length > 0 && assertions.every((line) => setOf(lines).has(line))

/** Lines of tests that became comments with the same words, or that a new comment encloses. */
function linesMadeComments(lines: readonly PatchLine[]): number {
  const isTestLine = (line: string) => code.isAssertion(line) || code.isDeclaration(line)
  const removed = new Set(
    lines.filter(({ sign, plain }) => sign === '-' && isTestLine(plain)).map(({ plain }) => plain),
  )
  let count = 0
  let enclosed = false
  for (const { sign, plain } of lines) {
    if (sign === '-') continue
    if (sign === '+' && code.isComment(plain) && removed.has(plainText(code.uncommented(plain)))) count++
    else if (sign === ' ' && enclosed && isTestLine(plain)) count++
    const opens = sign === '+' && plain.includes('/*')
    enclosed = (enclosed || opens) && !plain.includes('*/')
  }
  return count + linesInNewStrings(lines)
}

/** Lines of tests between two new lines with Python's triple quotes: they are no longer code. */
function linesInNewStrings(lines: readonly PatchLine[]): number {
  const before = removedTexts(lines)
  let count = 0
  let within: number | null = null
  let quote = ''
  for (const { sign, plain } of lines) {
    if (sign === '-') continue
    const isTest = code.isAssertion(plain) || code.isDeclaration(plain)
    if (within !== null && isTest && (sign === ' ' || before.has(plain))) within += 1
    // Within one kind of quotes, the other is only text.
    if (within === null) quote = /"{3}|'{3}/.exec(plain)?.[0] ?? ''
    if (quote === '' || (plain.split(quote).length - 1) % 2 === 0) continue
    if (sign === '+' && within !== null) count += within
    within = sign === '+' && within === null ? 0 : null
  }
  return count
}
