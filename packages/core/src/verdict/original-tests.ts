import { isEscaped } from '../execution/choose-tests.ts'
import { isSilent, type ToolTests } from '../digest/tests-run.ts'
import { isAsked, removalsIn } from '../tamper/asked.ts'
import { shortName } from '../tamper/finding-words.ts'
import { isSnapshot } from '../tamper/names-of-tests.ts'
import type { ChangedFile } from '../tamper/patch.ts'
import { belongsToTests, isTestFile } from '../tamper/tamper.ts'
import { counted } from '../text/count-text.ts'

/*
 * The tests as they were before the work, run on its code. However a test was bent, the one that it was says whether the
 * code does what was asked for: words in a patch do not have to be understood for that.
 */

/** For a test that passed before and fails as it was: `tell` people, or `refuse` until a person allows it. */
export const originalTestsModes = ['tell', 'refuse', 'off'] as const
export type OriginalTestsMode = (typeof originalTestsModes)[number]

/**
 * How a commit gets the tests of the one where its work began: `paths` are as they were, `without` are files of tests that
 * were not there. `chosen`: test files that a runner can be asked for by name; null: anything may have changed for any test.
 */
export type OriginalFiles = { paths: string[]; without: string[]; chosen: string[] | null }

/** A git command line and a container's order carry no more. */
const MOST_FILES = 500

/** Settings and set-up of a runner that say nothing about how the project itself is built. */
const OF_RUNNER =
  /(?:^|\/)(?:conftest\.py|pytest\.ini|(?:site|user)customize\.py|(?:vitest|jest|playwright|cypress|ava|karma)\.(?:config|conf|workspace|setup)\.[\w.]+|(?:jest|vitest)[\w.-]*set-?up[\w.-]*|set-?up-?tests?\.[\w.]+|\.mocharc(?:\.\w+)?|phpunit(?:\.dist)?\.xml(?:\.dist)?|\.rspec)$/i
const OF_OTHERS = /(?:^|\/)(?:node_modules|vendor)\//

const nobody: Excused = { file: () => false, title: () => false, some: false }

const isOriginal = (path: string): boolean =>
  !OF_OTHERS.test(path) && !isEscaped(path) && (belongsToTests(path) || isSnapshot(path) || OF_RUNNER.test(path))

type Changed = Pick<ChangedFile, 'path' | 'oldPath' | 'status'>

/**
 * Null: no test that was there differs.
 *
 * @param gone also tests that were moved or deleted. They are brought back where some tests failed before the work: which of
 *   them passes now under another name is asked there alone, since what a test imports by relative paths moves with it, and its
 *   old form then fails for nothing
 */
export function originalFiles(
  all: readonly Changed[],
  { excused = nobody, gone = false }: { excused?: Pick<Excused, 'file'>; gone?: boolean } = {},
): OriginalFiles | null {
  const back: string[] = []
  const without: string[] = []
  for (const { path, oldPath, status } of all) {
    const former = status === 'R' ? (oldPath ?? path) : path
    if (excused.file(path) || excused.file(former) || !(isOriginal(path) || isOriginal(former))) continue
    const isGone = status === 'D' || status === 'R'
    if (status === 'A' || status === 'C') without.push(path)
    else if (!isGone || gone || OF_RUNNER.test(former)) {
      back.push(former)
      if (status === 'R') without.push(path)
    }
  }
  const ofRunner = [...back, ...without].some((path) => OF_RUNNER.test(path))
  if (back.length === 0 && !ofRunner) return null
  const alone = !ofRunner && back.length <= MOST_FILES && back.every(isTestFile)
  const paths = back.slice(0, MOST_FILES)
  return { paths, without: without.slice(0, MOST_FILES), chosen: alone ? paths : null }
}

/** Tests that may be other than they were, as a person said: by what the bead asks for, or by what was allowed. */
export type Excused = {
  file: (path: string) => boolean
  title: (title: string) => boolean
  /** There is anything of the kind, and nobody can tell what it is about where tests have no names. */
  some: boolean
}

/**
 * @param task what people said: the bead's title and description, and the note that an execution was given
 * @param allowed findings of the guard that a person allowed for the bead
 */
export function excusedBy(task: string, allowed: readonly string[]): Excused {
  const removals = removalsIn(task)
  return {
    file: (path) => allowed.some((finding) => finding.includes(shortName(path))) || isAsked(removals, { path }),
    title: (title) => allowed.some((finding) => names(finding, title)) || isAsked(removals, { path: '', title }),
    some: removals.length > 0 || allowed.length > 0,
  }
}

const words = (text: string): string => ` ${text.replace(/\W+/g, ' ').trim()} `
const names = (finding: string, title: string): boolean => words(finding).includes(words(title))

/** A run of a check. `findings`: keys of what failed, none where its tool names nothing. */
export type RunOfTests = {
  exitCode: number | null
  tool: string
  findings: readonly string[]
  tests?: readonly ToolTests[]
}

/**
 * Tests that fail as they were and pass as they are now, by the titles of a digest. `red`: they failed before the work, too, so
 * that only their own change makes them pass. `other`: they passed before the work, which wants another behaviour or broke it.
 * `silent`: a check that named nothing failed before, and fails with the tests as they were.
 */
export type Originals = { red: string[]; other: string[]; silent: boolean }

/**
 * @param before the check on the commit where the work began
 * @param now the check on the work, with its own tests
 * @param original the check on the work, with the tests as they were
 */
export function judgeOriginals(
  before: RunOfTests,
  now: RunOfTests,
  original: RunOfTests,
  excused: Excused = nobody,
): Originals {
  // Nobody knows what a run that did not end would have said.
  if (original.exitCode === 0 || original.exitCode === null) return { red: [], other: [], silent: false }
  const failing = titlesOf(original)
  if (failing.length === 0) return { red: [], other: [], silent: !excused.some && isSilentFailure(before) }
  const [known, still] = [countOf(titlesOf(before)), countOf(titlesOf(now))]
  const red: string[] = []
  const other: string[] = []
  for (const title of failing) {
    if (take(still, title) || excused.title(title)) continue
    // A test that was there and could not be loaded failed in its own way.
    ;(take(known, title) || (before.exitCode !== 0 && isSilent(before.tests)) ? red : other).push(title)
  }
  return { red, other, silent: false }
}

const isSilentFailure = (run: RunOfTests): boolean =>
  run.exitCode !== 0 && run.exitCode !== null && titlesOf(run).length === 0

const titlesOf = ({ tool, findings }: RunOfTests): string[] =>
  tool === 'generic' ? [] : findings.map((key) => (key.split(' | ', 1)[0] ?? '').replace(/^[\w-]+: /, ''))

function countOf(titles: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1)
  return counts
}

/** Whether one is left of it; then it is taken. */
function take(counts: Map<string, number>, title: string): boolean {
  const count = counts.get(title) ?? 0
  if (count > 0) counts.set(title, count - 1)
  return count > 0
}

const MOST_NAMED = 5
const LONGEST = 120

const named = (titles: readonly string[]): string => {
  const shown = titles.slice(0, MOST_NAMED).map((title) => title.slice(0, LONGEST).toWellFormed())
  return `${shown.join(', ')}${titles.length > MOST_NAMED ? `, and ${titles.length - MOST_NAMED} more` : ''}`
}

/** "2 tests failed before the work, fail still as they were, and pass only as they were changed: …" */
export const bentText = (check: string, { red, silent }: Originals): string | null =>
  red.length > 0
    ? `${counted(red.length, 'test')} that failed before the work ${red.length === 1 ? 'passes' : 'pass'} only because ${red.length === 1 ? 'it was' : 'they were'} changed: ${named(red)}`
    : silent
      ? `${check} failed before the work, and passes only because its tests were changed`
      : null

/** "3 tests that passed before the work fail as they were, and pass as they were changed: …" */
export const otherText = ({ other }: Originals): string | null =>
  other.length === 0
    ? null
    : `${counted(other.length, 'test')} that passed before the work ${other.length === 1 ? 'fails as it was, and passes as it was' : 'fail as they were, and pass as they were'} changed: ${named(other)}`
