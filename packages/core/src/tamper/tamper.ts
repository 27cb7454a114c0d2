import { removalsIn } from './asked.ts'
import { isFramework } from './bent-frameworks.ts'
import { definesTests, weakenedCommands } from './settings/commands.ts'
import { asDeleted, changedData, changedKinds, isTestModule, mayBeTestModule } from './file-kinds.ts'
import { isWithin, setOf } from './made-up-for.ts'
import { mayStartTests, namedIn } from './settings/named-files.ts'
import { counted } from '../text/count-text.ts'
import { quoted, shortName } from './finding-words.ts'
import { hiddenCharacters } from './hidden-characters.ts'
import { stoppedExamples } from './doc-examples.ts'
import { foundFirst } from './stand-ins/found-first.ts'
import { furtherSettings } from './settings/further-settings.ts'
import { hookScripts } from './settings/hook-scripts.ts'
import { leadsElsewhere, NewPlaces } from './settings/leads-elsewhere.ts'
import { isLock, lockedRunners } from './settings/locked-runners.ts'
import { CodeOfCommit, mappedModules, mayMap } from './settings/mapped-modules.ts'
import { opensItsTests } from './knows-its-tests.ts'
import { lostFiles, reachedIn } from './lost-files.ts'
import { lostSnapshots } from './lost-snapshots.ts'
import { lossesOf, without, type Balance } from './moved-lines.ts'
import { formerPath, isCut, type ChangedFile } from './patch.ts'
import { additionsOf, isReplaced, lostTests, testChange, type TestChange } from './changed-tests.ts'
import { weakSettings } from './settings/runner-settings.ts'
import { placesOfOthers } from './settings/places-of-others.ts'
import { Places } from './project-modules.ts'
import { reachingCode } from './reaching-code.ts'
import { replacedCode } from './stand-ins/replaced-code.ts'
import { testsThatHaveToFail } from './reach/has-to-fail.ts'
import { silenced } from './reach/silenced.ts'
import { startedBy, weakenedStart } from './settings/started-files.ts'
import { weakerStarts, type StartedFiles } from './started/weaker-start.ts'
import { fakedMembers } from './strength/faked-members.ts'
import { lostFailures } from './strength/lost-failures.ts'
import { ownResults } from './strength/own-results.ts'
import { weakerAssertions } from './strength/weaker-assertions.ts'
import { paintedPages } from './painted-pages.ts'
import { shadowedNames } from './stand-ins/shadowed-names.ts'
import { standIns } from './stand-ins/stand-ins.ts'
import * as names from '../files/names-of-tests.ts'
import { subverted } from './subverted.ts'
import { isListOfVendor } from './vendored-runners.ts'
import { turnedRound } from './turned-round.ts'
import * as code from './words.ts'

export type WorkChange = {
  files: readonly ChangedFile[]
  /** Tests that the runner collected before and after the change; null if it does not say. */
  collectedBefore: number | null
  collectedAfter: number | null
  /** The people's request: a bead may ask for tests to be removed. Default: nothing. */
  task?: string
  /** Code that the change deletes: its tests go with it if the task says so. */
  deletedCode?: readonly string[]
  /** All files that differ, and all paths of the commit; without them imports cannot be resolved. */
  all?: readonly Pick<ChangedFile, 'path' | 'status'>[]
  paths?: readonly string[]
  /** The change has more files than these. */
  more?: boolean
  /** The checks' commands: the files that they start decide, too. */
  commands?: readonly string[]
  /** The texts of those files, if one of them changed. `isUnnamed`: the checks name no test that ran. */
  started?: (StartedFiles & { isUnnamed: boolean }) | null
}

/** The most that is read of a change, and the most that is said about it. */
const MOST_FILES = 2000
const MOST_CHARACTERS = 8 * 1024 ** 2
const MOST_SENTENCES = 12

/** Said if not all of a change was read. */
export const TOO_MUCH = 'the tests changed more than could be checked'
export const TOO_MANY_FILES = 'more files changed than could be checked'

/** Whether a path is test code: by a name that runners know, or as code in a folder of tests. */
export const isTestFile = (path: string): boolean => names.isTestFile(path)

/** Whether a file decides what runs as tests, or which of them: `findTampering` reads these too. */
export const decidesTests = (path: string): boolean =>
  definesTests(path) || mayStartTests(path) || mayMap(path) || isFramework(path) || isListOfVendor(path) || isLock(path)

/** Whether new lines of such files name a path, such as a set-up file or a plugin. */
export const isNamedBy = (deciding: readonly ChangedFile[]): ((path: string) => boolean) => namedIn(deciding)

/** Whether the checks' commands start a path. */
export const isStartedBy = (commands: readonly string[]): ((path: string) => boolean) => startedBy(commands)

/** Whether a path may hold tests, or their expected results: code like Rust's, a submodule, a snapshot. */
export const mayHoldTests = (path: string): boolean =>
  names.mayHoldTests(path) || mayBeTestModule(path) || names.isSnapshot(path)

/**
 * The ways in which a change made tests weaker, a sentence for each way and file; none for an honest one. It judges
 * words, not meanings. Not reported: tests that were moved, renamed, rewritten with as many assertions, replaced by
 * others about the same, or that the task asks to remove. A clever agent is not caught. Linear in the patches.
 */
export function findTampering({
  files,
  collectedBefore,
  collectedAfter,
  task = '',
  deletedCode = [],
  all = [],
  paths = [],
  more = false,
  commands = [],
  started: texts = null,
}: WorkChange): string[] {
  const isNamed = namedIn(files.filter(({ path }) => definesTests(path) || mayStartTests(path)))
  const isStarted = startedBy(commands)
  const isBefore = (path: string): boolean => mayStartTests(path) || isNamed(path)
  const relevant = files.filter(
    (file) =>
      isTest(file) ||
      definesTests(file.path) ||
      mayMap(file.path) ||
      isBefore(file.path) ||
      isTestModule(file) ||
      isFramework(file.path) ||
      isListOfVendor(file.path) ||
      names.isSnapshot(file.path) ||
      isStarted(file.path),
  )
  const whole = readable(relevant)
  const read = whole.map(asDeleted)
  const removals = removalsIn(task)
  const filesOfChange = filesAround(all, paths)
  const known = new Places(paths)
  const movedFrom = read.filter((file) => file.status === 'R' && isTestFile(file.path)).map(formerPath)
  const isOfOthers = more ? undefined : placesOfOthers({ read, all, paths })
  const found = read.flatMap((file) => weakenedCommands(file, shortName(file.path), movedFrom, isOfOthers))
  const started = read.filter(({ path }) => isStarted(path) && !definesTests(path) && !isTestFile(path))
  found.push(...started.flatMap((file) => weakenedStart(file, shortName(file.path))))
  const around = {
    fresh: read.flatMap(({ status, path }) => (status === 'A' || status === 'R' ? [path] : [])),
    gone: [...movedFrom, ...read.flatMap(({ status, path }) => (status === 'D' ? [path] : []))],
  }
  found.push(...read.flatMap((file) => weakSettings(file, shortName(file.path), around)))
  found.push(...furtherSettings(read, all), ...lockedRunners(readable(files)), ...hookScripts(read, files, known))
  const codeOfCommit = new CodeOfCommit(paths, filesOfChange.fresh)
  found.push(...read.flatMap((file) => mappedModules(file, shortName(file.path), codeOfCommit, known)))
  const places = new NewPlaces(paths, filesOfChange.fresh)
  found.push(...read.flatMap((file) => leadsElsewhere(file, shortName(file.path), places)))
  found.push(...whole.flatMap((file) => changedKinds(file, shortName(file.path))), ...hiddenCharacters(read))
  found.push(...changedData(all, new Set(relevant.map(({ path }) => path))))
  const settings = found.length > 0 || read.some(({ path }) => definesTests(path) && !isTestFile(path))
  const isReached = reachedIn(read)
  const tests = read
    .filter((file) => isTest(file) && (file.status !== 'A' || isReached(file)))
    .map((file) => testChange(file, removals))
  const finders = names.findersOf(commands, paths)
  found.push(...lostFiles(tests, removals, deletedCode, isReached, finders), ...skipped(tests), ...commentedOut(tests))
  found.push(
    ...disarmed(tests),
    ...gone(tests),
    ...lostAssertions(tests),
    ...weakerAssertions(tests),
    ...lostFailures(tests),
  )
  const instead = standIns(tests, filesOfChange, known)
  const others = withoutThose(tests, instead, ' ')
  const turned = turnedRound(tests)
  found.push(
    ...silenced(tests),
    ...lostSnapshots(read, shortName, { removals, all, paths }),
    ...subverted(read, isBefore, filesOfChange),
    ...turned,
    ...testsThatHaveToFail(withoutThose(tests, turned, ':')),
    ...instead,
    ...fakedMembers(others),
    ...ownResults(tests),
    ...shadowedNames(others, known),
    ...paintedPages(tests, read),
    ...foundFirst(filesOfChange, read),
    ...replacedCode(read, known, isBefore),
    ...opensItsTests(readable(files), paths),
    ...stoppedExamples(readable(files)),
    // The build names C sources, but they are still part of the program.
    ...reachingCode(readable(files.filter(({ path }) => !isBefore(path) || /\.(?:c|cc|cpp|cxx)$/.test(path)))),
  )
  if (texts !== null)
    found.push(
      ...newlySaid(
        weakerStarts(commands, texts, { removals, changed: modified(all), isLeft: isRead(texts, task) }),
        found,
      ),
    )
  if (more || read.length < relevant.length || read.some(isCut)) found.push(TOO_MUCH)
  const explained = declared(tests, '-') > declared(tests, '+') && !settings
  if (collectedBefore !== null && collectedAfter !== null && collectedAfter < collectedBefore && !explained) {
    found.push(`the runner found ${collectedAfter} tests, ${collectedBefore - collectedAfter} fewer than before`)
  }
  const unsaid = found.length - MOST_SENTENCES
  return unsaid > 0 ? [...found.slice(0, MOST_SENTENCES), `and ${unsaid} more`] : found
}

const modified = (all: NonNullable<WorkChange['all']>): string[] =>
  all.flatMap(({ path, status }) => (status === 'M' ? [path] : []))

/** Whether the tests of a file are judged by their own words: no runner hears of a shell's. */
const isRead =
  ({ isUnnamed }: { isUnnamed: boolean }, task: string) =>
  (path: string): boolean =>
    isTestFile(path) &&
    names.isCodeFile(path) &&
    !/\.(?:sh|bash)$/.test(path) &&
    (!isUnnamed || removalsIn(task).length > 0)

/** Sentences about files of which nothing is said yet. */
const newlySaid = (sentences: readonly string[], said: readonly string[]): string[] =>
  sentences.filter((one) => !said.some((other) => other.startsWith(`${one.split(', which a check starts,', 1)[0]}`)))

/** Leaves out files with one of these sentences. Only few files have sentences. */
function withoutThose(tests: readonly TestChange[], said: readonly string[], end: string): TestChange[] {
  if (said.length === 0) return [...tests]
  return tests.filter(({ file }) => {
    const begin = shortName(file.path) + end
    return !said.some((one) => one.startsWith(begin))
  })
}

const filesAround = (all: NonNullable<WorkChange['all']>, paths: readonly string[]) => ({
  paths,
  changed: new Set(all.map(({ path }) => path)),
  fresh: new Set(all.flatMap(({ path, status }) => (status === 'A' || status === 'C' ? [path] : []))),
})

/** The number of tests that a change adds, by their first lines, without moved and renamed ones. */
export function newTests(files: readonly ChangedFile[]): number {
  const tests = readable(files.filter(isTest)).map((file) => testChange(file, []))
  return Math.max(0, declared(tests, '+') - declared(tests, '-'))
}

/** Whether code contains the first line of a test. */
export const declaresTests = (text: string): boolean =>
  text.split('\n', 20_000).some((line) => code.isDeclaration(line.trim().slice(0, 1000)))

/** Whether a change adds tests or assertions to a file. */
export function addsTests(file: ChangedFile): boolean {
  if (!isTest(file) || file.status === 'D') return false
  const { added } = testChange(file, [])
  return added.tests.length + added.assertions.length > 0
}

/** Whether tests may be about a path's code. */
export const isTestedCode = (path: string): boolean =>
  names.isCodeFile(path) && !isTestFile(path) && !definesTests(path)

/** Whether tests may need a file: a test itself, or a file in a folder of tests or their data. */
export const belongsToTests = (path: string): boolean => isTestFile(path) || names.isInTestFolder(path)

const declared = (tests: readonly TestChange[], sign: '+' | '-'): number =>
  tests.reduce((sum, { removed, added }) => sum + (sign === '-' ? removed : added).tests.length, 0)

const isTest = (file: ChangedFile): boolean =>
  isTestFile(file.path) ||
  isTestFile(formerPath(file)) ||
  (names.mayHoldTests(file.path) && /#\[(?:cfg\(test\)|(?:\w+::)*test\b)|mod tests?\b|^.test "/m.test(file.patch))

/** The files that are read; if there are more, the guard says so. */
export function readable(files: readonly ChangedFile[]): ChangedFile[] {
  let characters = 0
  return files.filter(({ patch }, at) => at < MOST_FILES && (characters += patch.length) <= MOST_CHARACTERS)
}

function skipped(tests: readonly TestChange[]): string[] {
  // Here a new marker is a loss. Markers that only moved, or replaced another one, are not reported.
  const losses = lossesOf(tests.map(({ file, removed, added }) => balance(file, added.markers, removed.markers)))
  const { titles } = additionsOf(tests)
  const lost = tests.some(
    (one) => one.file.status === 'D' || one.blocks.removed.some((test) => !titles.has(test.title)),
  )
  return tests.flatMap(({ file, added, fresh }) => {
    const words = added.markers.map((line) => code.skipMarker(file.path, line))
    // A skipped new test removes nothing, unless it replaces a former one.
    const isNew = (line: string) => file.status === 'A' || fresh.includes(line)
    const harmless = lost || words.includes('only') ? 0 : added.markers.filter(isNew).length
    const count = (losses.get(file.path) ?? 0) - harmless
    if (count <= 0) return []
    const word = words.includes('only') ? 'only' : words[0]
    return [
      `${shortName(file.path)} has ${counted(count, 'new marker')} that ${count > 1 ? 'keep' : 'keeps'} tests from running (${word})`,
    ]
  })
}

const commentedOut = (tests: readonly TestChange[]): string[] =>
  tests.flatMap(({ file, hidden }) =>
    hidden > 0 ? [`${shortName(file.path)}: ${counted(hidden, 'line')} of tests commented out`] : [],
  )

const disarmed = (tests: readonly TestChange[]): string[] =>
  tests.flatMap(({ file, blocks }) =>
    blocks.disarmed.length > 0
      ? [
          `${shortName(file.path)}: ${quoted(blocks.disarmed)} ${blocks.disarmed.length > 1 ? 'are' : 'is'} no test any more`,
        ]
      : [],
  )

/** The most text of new comments that is searched for each lost test. */
const MOST_TEXT = 20_000

/** Tests that were removed while others keep up the number of assertions. */
function gone(tests: readonly TestChange[]): string[] {
  const additions = additionsOf(tests)
  return tests.flatMap((one) => {
    if (one.file.status === 'D') return []
    const isDisarmed = new Set(one.blocks.disarmed)
    const lost = lostTests(one, additions.titles).filter(
      (test) => !isDisarmed.has(test.title) && !isReplaced(test, additions),
    )
    // A test that is now skipped or a comment is reported as such.
    const others = [...one.added.markers, ...one.comments].join('\n').slice(0, MOST_TEXT)
    const said = lost.filter(({ title }) => !others.includes(title))
    return said.length > 0
      ? [
          `${shortName(one.file.path)}: ${quoted(said.map(({ title }) => title))} ${said.length > 1 ? 'are' : 'is'} gone, and no other test does the same`,
        ]
      : []
  })
}

function lostAssertions(tests: readonly TestChange[]): string[] {
  const additions = additionsOf(tests)
  const balances = tests.map((one) => {
    const elsewhere = lostTests(one, additions.titles)
      .filter((test) => isReplaced(test, additions))
      .flatMap(({ assertions }) => assertions)
    const own = balance(one.file, without(one.removed.assertions, elsewhere), one.added.assertions)
    return { ...own, moved: one.added.bodies }
  })
  const losses = lossesOf(balances)
  return tests.flatMap((one) => {
    const { file, hidden } = one
    // Deleted files and lines that became comments are reported already.
    const count = Math.max(losses.get(file.path) ?? 0, thinned(one, additions.lines)) - hidden
    if (file.status === 'D' || count <= 0) return []
    return [`${shortName(file.path)} lost ${counted(count, 'assertion')}`]
  })
}

/** Assertions that existing tests lost, whatever other tests of their file gained. */
function thinned({ ofTests, blocks }: TestChange, gainedAnywhere: readonly string[]): number {
  const lost = new Set(blocks.removed.map(({ title }) => title))
  const kept = new Set(blocks.added.map(({ title }) => title))
  let count = 0
  for (const [title, { removed, added }] of ofTests) {
    if (title === '' || (lost.has(title) && !kept.has(title))) continue
    const gained = without(added, removed)
    const missing = without(removed, added)
    if (missing.length <= gained.length) continue
    const open = missing.filter((line) => !setOf(gainedAnywhere).has(line) && !isWithin(line, gained))
    count += Math.max(0, Math.min(open.length, missing.length - gained.length))
  }
  return count
}

const balance = ({ path }: ChangedFile, lost: string[], gained: string[]): Balance => ({ path, lost, gained })
