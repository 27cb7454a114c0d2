import { isAsked, type Removals } from './asked.ts'
import { testBlocks, type Blocks, type TestBlock } from './blocks.ts'
import { isRow, successorsOf, type Additions } from './made-up-for.ts'
import { patchLines, plainText, type ChangedFile, type PatchLine } from './patch.ts'
import { inlineTests, mayHoldTests } from './names-of-tests.ts'
import * as code from './words.ts'

/** Lines in the plain form. */
export type Side = { assertions: string[]; tests: string[]; markers: string[] }

/** What a change does to the tests of one file. What the bead asked to remove is left out. */
export type TestChange = {
  file: ChangedFile
  lines: readonly PatchLine[]
  blocks: Blocks
  removed: Side
  added: Side
  /** Assertions by the name of their test; '': not known. */
  ofTests: Map<string, { removed: string[]; added: string[] }>
  /** Markers on tests that were not there before. */
  fresh: Side['markers']
  /** Lines of tests that are comments now, and all comments that were added. */
  hidden: number
  comments: string[]
  /** The bead asked to remove the file. */
  asked: boolean
}

export function testChange(file: ChangedFile, removals: Removals): TestChange {
  const { path, patch } = file
  const all = patchLines(patch, mayHoldTests(path) ? inlineTests : undefined)
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
  const side = (sign: '+' | '-'): Side => {
    const texts = lines.filter((line) => line.sign === sign).map(({ plain }) => plain)
    return {
      assertions: texts.filter(code.isAssertion),
      tests: texts.filter(code.isDeclaration),
      markers: texts.filter((text) => code.skipMarker(path, text) !== null),
    }
  }
  const known = { ...blocks, removed: blocks.removed.filter((block) => !asked && !askedTests.has(block)) }
  return {
    file,
    lines,
    blocks: known,
    removed: side('-'),
    added: side('+'),
    ofTests: assertionsOfTests(lines, blocks),
    fresh: lines.filter((line) => blocks.fresh.has(line)).map(({ plain }) => plain),
    hidden: linesMadeComments(lines),
    comments: lines.filter(({ sign, plain }) => sign === '+' && code.isComment(plain)).map(({ plain }) => plain),
    asked,
  }
}

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

/** Tests of a file that are not there any more under their name. */
export const lostTests = ({ blocks }: TestChange, titles: ReadonlySet<string>): TestBlock[] =>
  blocks.removed.filter(
    ({ bodyStays, title, lines: [first = ''] }) =>
      !bodyStays && title !== '' && !titles.has(title) && !code.isDisabling(first),
  )

/** Whether something else that the change adds checks what the test did. */
export const isReplaced = (lost: TestBlock, additions: Additions): boolean =>
  isRow(lost, additions) || successorsOf(lost, additions).length > 0 || isMoved(lost, additions)

const isMoved = ({ assertions }: TestBlock, { lines }: Additions): boolean =>
  assertions.length > 0 && assertions.every((line) => lines.includes(line))

/** Lines of tests that were replaced by a comment of the same words, or that a new comment encloses. */
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

/** Lines of tests that are between two new lines with the triple quotes of Python, which is no code any more. */
function linesInNewStrings(lines: readonly PatchLine[]): number {
  const before = new Set(lines.filter(({ sign }) => sign === '-').map(({ plain }) => plain))
  let count = 0
  let within: number | null = null
  for (const { sign, plain } of lines) {
    if (sign === '-') continue
    const isTest = code.isAssertion(plain) || code.isDeclaration(plain)
    if (within !== null && isTest && (sign === ' ' || before.has(plain))) within += 1
    if ((plain.split(/"{3}|'{3}/).length - 1) % 2 === 0) continue
    if (sign === '+' && within !== null) count += within
    within = sign === '+' && within === null ? 0 : null
  }
  return count
}
