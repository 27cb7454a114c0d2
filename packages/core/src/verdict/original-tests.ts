import { isEscaped } from '../execution/choose-tests.ts'
import { titlesOfFailed } from '../digest/known-failures.ts'
import { isSilent, type ToolTests } from '../digest/tests-run.ts'
import { isFramework } from '../tamper/bent-frameworks.ts'
import { isAsked, removalsIn } from '../tamper/asked.ts'
import { shortName } from '../tamper/finding-words.ts'
import { isResult } from '../tamper/changed-values.ts'
import { hasRunnerName, isCodeFile, isSnapshot } from '../files/names-of-tests.ts'
import type { ChangedFile } from '../tamper/patch.ts'
import { belongsToTests } from '../tamper/tamper.ts'
import { mayBeTable } from './tables-of-tests.ts'
import { takeOnce } from '../text/take-once.ts'
import { counted } from '../text/count-text.ts'

/*
 * The tests from before the work, run on its code. However a test was bent, its former version shows whether the code
 * does what was asked for, without understanding the words of a patch.
 */

/** For a test that passed before and whose former version fails: `tell` people, or `refuse` until one allows it. */
export const originalTestsModes = ['tell', 'refuse', 'off'] as const
export type OriginalTestsMode = (typeof originalTestsModes)[number]

/**
 * The changes that give a commit the tests of the commit where its work began: `paths` get their former content,
 * `without` are new test files to leave out. `chosen`: test files that a runner can be asked for by name; null: any
 * test may be affected.
 */
export type OriginalFiles = { paths: string[]; without: string[]; chosen: string[] | null }

/** A git command line and a container's order can carry no more. */
const MOST_FILES = 500

/** A runner's settings and set-up, which do not affect how the project itself is built. */
const OF_RUNNER =
  /(?:^|\/)(?:conftest\.py|\.?pytest\.(?:ini|toml)|(?:site|user)customize\.py|(?:vitest|jest|playwright|cypress|ava|karma)\.(?:config|conf|workspace|setup)\.[\w.]+|web-test-runner\.config\.[\w.]+|\.taprc|(?:jest|vitest)[\w.-]*set-?up[\w.-]*|set-?up-?tests?\.[\w.]+|\.mocharc(?:\.\w+)?|phpunit(?:\.dist)?\.xml(?:\.dist)?|\.rspec)$/i
export const isOfRunner = (path: string): boolean => OF_RUNNER.test(path)
const OF_OTHERS = /(?:^|\/)(?:node_modules|vendor)\//

const nobody: Excused = { file: () => false, title: () => false, some: false }

const isOriginal = (path: string): boolean =>
  !OF_OTHERS.test(path) &&
  !isEscaped(path) &&
  (belongsToTests(path) || isSnapshot(path) || isResult(path) || OF_RUNNER.test(path))

type Changed = Pick<ChangedFile, 'path' | 'oldPath' | 'status'>

/** Whether a new test file may affect tests that do not name it: no runner starts it, or it shares their package. */
const actsUnnamed = (path: string): boolean => isCodeFile(path) && (path.endsWith('.go') || !hasRunnerName(path))

/** New files among the tests that no runner starts: former tests may have waited for them. */
export const newAmongTests = (all: readonly Changed[]): string[] =>
  all.flatMap(({ path, status }) =>
    (status === 'A' || status === 'C') && isOriginal(path) && !OF_RUNNER.test(path) && !hasRunnerName(path)
      ? [path]
      : [],
  )

/** Changed files that are no tests, but may be the tables of some. */
export const changedTables = (all: readonly Changed[]): string[] =>
  all.flatMap(({ path, status }) => (status === 'M' && !isOriginal(path) && mayBeTable(path) ? [path] : []))

/**
 * The files that one of the texts names, without folder and extension. Go's never count, because nobody names a file of
 * a package.
 */
export function namedInTexts(paths: readonly string[], texts: readonly string[]): string[] {
  const words = new Set(texts.flatMap((text) => text.match(WORD) ?? []))
  return paths.filter((path) => !path.endsWith('.go') && words.has(stemOf(path)))
}

/** Names of files in code, without extensions: `some-rows`, `test_helpers`. */
const WORD = /[\w-]+/g
const stemOf = (path: string): string => /[\w-]+/.exec(path.slice(path.lastIndexOf('/') + 1))?.[0] ?? ''

/**
 * A base where some tests failed, or where that is unknown (not `proved`). `needed`: new files that former tests name,
 * and without which they could not pass; null: unknown.
 */
export type RedBase = { proved: boolean; needed: readonly string[] | null }

/**
 * Null: no former test differs.
 *
 * @param tables changed files with cases that only tests name
 * @param red only on such a base, moved and deleted tests are brought back, to see which of them now passes under
 *   another name. Elsewhere, a moved test's relative imports moved with it, and its old form would fail for nothing.
 *   New code that may affect other tests is left out even if nothing else changed, as it may make them pass; but not if
 *   the failures are unknown, because nearly every new test would cause such a run
 */
export function originalFiles(
  all: readonly Changed[],
  {
    excused = nobody,
    red = null,
    tables = [],
  }: { excused?: Pick<Excused, 'file'>; red?: RedBase | null; tables?: readonly string[] } = {},
): OriginalFiles | null {
  const back: string[] = []
  const without: string[] = []
  const needed = new Set(red?.needed)
  const isOne = (path: string): boolean => isOriginal(path) || tables.includes(path)
  for (const { path, oldPath, status } of all) {
    // A new one may be what the build now needs.
    const isCopied = status === 'M' && isFramework(path)
    const former = status === 'R' ? (oldPath ?? path) : path
    if (excused.file(path) || excused.file(former) || !(isCopied || isOne(path) || isOne(former))) continue
    const isGone = status === 'D' || status === 'R'
    if (status === 'A' || status === 'C') {
      if (!needed.has(path)) without.push(path)
    } else if (!isGone || red !== null || OF_RUNNER.test(former)) {
      back.push(former)
      if (status === 'R') without.push(path)
    }
  }
  const ofRunner = [...back, ...without].some((path) => OF_RUNNER.test(path))
  const acts = red?.proved === true && red.needed !== null && without.some(actsUnnamed)
  if (back.length === 0 && !ofRunner) return acts ? { paths: [], without: codeOf(without), chosen: null } : null
  // Other tests read a file that no runner starts by itself.
  const alone = !ofRunner && !acts && back.length <= MOST_FILES && back.every(hasRunnerName)
  const paths = back.slice(0, MOST_FILES)
  return { paths, without: without.slice(0, MOST_FILES), chosen: alone ? paths : null }
}

const codeOf = (paths: readonly string[]): string[] => paths.filter(isCodeFile).slice(0, MOST_FILES)

/** Tests that may differ because a person said so: in the bead, or by allowing findings. */
export type Excused = {
  file: (path: string) => boolean
  title: (title: string) => boolean
  /** A person said something, and it cannot be matched with tests that have no names. */
  some: boolean
}

/**
 * @param task people's words: the bead's title and description, and the note for an execution
 * @param allowed findings of the guard that a person allowed for the bead
 */
export function excusedBy(task: string, allowed: readonly string[]): Excused {
  const removals = removalsIn(task)
  return {
    file: (path) => allowed.some((finding) => namesFile(finding, shortName(path))) || isAsked(removals, { path }),
    title: (title) => allowed.some((finding) => names(finding, title)) || isAsked(removals, { path: '', title }),
    some: removals.length > 0 || allowed.length > 0,
  }
}

/** Matches the whole path, not the end of another one. */
function namesFile(finding: string, path: string): boolean {
  for (let at = finding.indexOf(path); at !== -1; at = finding.indexOf(path, at + 1)) {
    const behind = finding.slice(at + path.length, at + path.length + 2)
    if (!/[\w./-]$/.test(finding.slice(Math.max(0, at - 1), at)) && !/^(?:[\w/-]|\.\w)/.test(behind)) return true
  }
  return false
}

const words = (text: string): string => ` ${text.replace(/\W+/g, ' ').trim()} `
const names = (finding: string, title: string): boolean => words(finding).includes(words(title))

/** A run of a check. `findings`: keys of its failures, none if its tool names nothing. */
export type RunOfTests = {
  exitCode: number | null
  tool: string
  findings: readonly string[]
  tests?: readonly ToolTests[]
}

/**
 * Tests whose former version fails and whose current version passes, by the titles of a digest. `red`: they failed
 * before the work, too, so only their own change makes them pass. `other`: they passed before the work, which changes
 * the behaviour or broke it. `silent`: a check that names nothing failed before, and fails with the former tests;
 * `silentOther`: it passed before.
 */
export type Originals = { red: string[]; other: string[]; silent: boolean; silentOther: boolean }

/**
 * @param before the check on the commit where the work began
 * @param now the check on the work, with its own tests
 * @param original the check on the work, with the former tests
 * @param texts of the former tests: if these cannot even be built with the work, they show which failed before
 * @param only every file is unchanged, and only new ones were left out: a test that fails without them counts by its
 *   name, and a build that names them says nothing
 */
export function judgeOriginals(
  before: RunOfTests,
  now: RunOfTests,
  original: RunOfTests,
  { excused = nobody, texts = [], only = false }: { excused?: Excused; texts?: readonly string[]; only?: boolean } = {},
): Originals {
  const nothing: Originals = { red: [], other: [], silent: false, silentOther: false }
  // The result of a run that did not end is unknown.
  if (original.exitCode === 0 || original.exitCode === null) return nothing
  const failing = titlesOf(original)
  if (only && (failing.length === 0 || isUnbuilt(original))) return nothing
  const unbuilt = unbuiltTests(before, now, original, texts).filter((title) => !excused.title(title))
  if (failing.length === 0 && unbuilt.length === 0)
    return {
      ...nothing,
      silent: !excused.some && isSilentFailure(before),
      silentOther:
        !excused.some && before.exitCode === 0 && namesNothing(before) && namesNothing(now) && namesNothing(original),
    }
  const [known, still] = [takeOnce(titlesOf(before)), takeOnce(titlesOf(now))]
  const red: string[] = [...unbuilt]
  const other: string[] = []
  for (const title of failing) {
    if (still(title) || excused.title(title)) continue
    // A former test that could not be loaded has also failed.
    if (known(title) || (!only && before.exitCode !== 0 && isSilent(before.tests))) red.push(title)
    else if (!only) other.push(title)
  }
  return { ...nothing, red, other }
}

const namesNothing = ({ tests = [] }: RunOfTests): boolean => isSilent(tests)
const isUnbuilt = ({ tests = [] }: RunOfTests): boolean =>
  isSilent(tests) || tests.some(({ unrun }) => unrun.length > 0)

/** Tests that failed before and pass now, and whose former version could not be built. */
function unbuiltTests(before: RunOfTests, now: RunOfTests, original: RunOfTests, texts: readonly string[]): string[] {
  if (texts.length === 0 || !isUnbuilt(original)) return []
  const still = takeOnce(titlesOf(now))
  const failing = takeOnce(titlesOf(original))
  const ran = new Set((original.tests ?? []).flatMap(({ units }) => units.map(([name]) => ownName(name))))
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []))
  return titlesOf(before).filter((title) => {
    const name = ownName(title)
    return !still(title) && !failing(title) && !ran.has(name) && words.has(name)
  })
}

/** `discount` of `shop.CartTest.discount(int)`: in compiled languages, the name of a test is a word. */
const ownName = (title: string): string => /(\w+)(?:\s*[([].*)?$/.exec(title)?.[1] ?? ''

const isSilentFailure = (run: RunOfTests): boolean =>
  run.exitCode !== 0 && run.exitCode !== null && titlesOf(run).length === 0

const titlesOf = (run: RunOfTests): string[] =>
  run.tool === 'generic' ? [] : titlesOfFailed(run).map((title) => title.replace(/^[\w-]+: /, ''))

const MOST_NAMED = 5
const LONGEST = 120

const named = (titles: readonly string[]): string => {
  const shown = titles.slice(0, MOST_NAMED).map((title) => title.slice(0, LONGEST).toWellFormed())
  return `${shown.join(', ')}${titles.length > MOST_NAMED ? `, and ${titles.length - MOST_NAMED} more` : ''}`
}

/**
 * "2 tests that failed before the work pass only because they were changed: …"
 *
 * @param only whether only new files were left out
 */
export function bentText(check: string, { red, silent }: Originals, only = false): string | null {
  const [passes, was] = red.length === 1 ? ['passes', 'it was'] : ['pass', 'they were']
  const why = only ? 'for new files beside the tests' : `because ${was} changed`
  if (red.length > 0)
    return `${counted(red.length, 'test')} that failed before the work ${passes} only ${why}: ${named(red)}`
  return silent ? `${check} failed before the work, and passes only because its tests were changed` : null
}

/** "3 tests that passed before the work fail in their old version and pass only in the changed one: …" */
export const otherText = (check: string, { other, silentOther }: Originals): string | null =>
  other.length === 0
    ? silentOther
      ? `${check} passed before the work, and fails with its tests as they were`
      : null
    : `${counted(other.length, 'test')} that passed before the work ${other.length === 1 ? 'fails in its old version and passes' : 'fail in their old version and pass'} only in the changed one: ${named(other)}`
