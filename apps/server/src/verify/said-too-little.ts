import type { ToolTests } from '@beadloom/core/digest/tests-run.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { isTestFile } from '@beadloom/core/tamper/tamper.ts'
import { runnerNamed, testParts } from '@beadloom/core/verdict/command-parts.ts'
import { MeantFiles } from '@beadloom/core/verdict/meant-files.ts'
import { fileOf } from '@beadloom/core/verdict/names.ts'
import { filesNamedBy, folderOf, namedCommands, type NamedCommands } from '@beadloom/core/verdict/named-commands.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** A manifest, and a file of tests, is longer than this only by accident. */
const FILE_BYTES = 256 * 1024
/** The limits for files that names may mean: of all of them, and of those in memory at a time. */
const MOST_MEANT = 1000
const AT_ONCE = 100
const MOST_SAID = 100
const MOST_PATHS = 20_000

/**
 * For checks whose earlier tests are unknown, as when tests come first: if a program ends before its tests, its runner
 * says less than usual. A sentence for each such case; empty: it says enough.
 *
 * @param base the work branch's commit that the work is on top of: the command's meaning is read there, if it is there
 */
export async function saidTooLittle(live: LiveExecution, row: Verification, base: string): Promise<string[]> {
  if (row.exitCode !== 0) return []
  const runs = row.tests ?? []
  const named = await commandsAt(live, row.command, row.made === true ? row.commit : base)
  if (runs.length === 0) {
    const runner = runnerNamed(row.command, named) ?? (await runnerOfSources(live, row, base))
    return runner === null ? [] : [`${runner} ended without saying that it ran a test`]
  }
  const words = testParts(row.command, named).map((part) => part.words)
  return [...runs.flatMap((run) => withoutNames(run, words)), ...(await emptyFiles(live, row))]
}

const MOST_SOURCES = 40
const C_SOURCE = /\.(?:c|cc|cpp|cxx)$/
/** In C and C++ a command names no runner: the tests are programs, and their sources show what they print. */
async function runnerOfSources(
  { deps: { aside, hub }, project }: LiveExecution,
  { command }: Verification,
  commit: string,
): Promise<string | null> {
  const folder = folderOf(command)
  const sources = (await hub.paths(project.id, commit, MOST_PATHS)).filter(
    (path) => C_SOURCE.test(path) && isTestFile(path) && (folder === '' || path.startsWith(`${folder}/`)),
  )
  const texts = await hub.readFiles(project.id, commit, sources.slice(0, MOST_SOURCES), FILE_BYTES)
  const found = await aside.verdict('frameworks', [...texts.values()])
  if (found === null) return 'a program whose sources take too much work to read'
  return found.find((name) => name !== null) ?? null
}

/** A command's meaning at a commit. @param unread gets existing files that could not be read for it */
export async function commandsAt(
  { deps: { hub }, project }: LiveExecution,
  command: string,
  commit: string,
  unread = new Set<string>(),
): Promise<NamedCommands> {
  return namedCommands(command, await hub.readFiles(project.id, commit, filesNamedBy(command), FILE_BYTES, unread))
}

/** With `-v` Go announces each test. */
const withoutNames = ({ tool, ran }: ToolTests, words: readonly string[]): string[] =>
  tool === 'go-test' && ran === null && words.some((part) => VERBOSE_GO.test(part))
    ? ['go test ended without naming a test']
    : []

const VERBOSE_GO = /\bgo\s+test\b.*\s(?:-v|-json|-test\.v)(?:[=\s]|$)/

/**
 * Node's runner reports a file as a test if no test in it ran. The names of its tests in the output prove nothing: the
 * file may have printed them, and ended.
 *
 * @param former the tests that ran before: a file that was a test of its own then may stay one
 */
export async function emptyFiles(
  { deps: { aside, hub }, project }: LiveExecution,
  { commit, command, tests: runs = [] }: Verification,
  former: readonly ToolTests[] = [],
): Promise<string[]> {
  const namesOf = (tests: readonly ToolTests[]): string[] =>
    tests.filter(({ tool }) => tool === 'node-test').flatMap(({ units }) => units.map(([name]) => name))
  const known = new Set(namesOf(former))
  const own = namesOf(runs).filter((name) => !known.has(name))
  const names = own.flatMap((name) => {
    const file = fileOf(name)
    return file?.whole === true && /\.[cm]?[jt]sx?$/.test(file.file) ? [file] : []
  })
  if (names.length === 0) return []
  const meant = new MeantFiles(await hub.paths(project.id, commit, MOST_PATHS), folderOf(command))
  const places = names.map((name) => meant.of(name))
  const all = [...new Set(places.flat())]
  if (all.length > MOST_MEANT)
    return [
      `more than ${MOST_MEANT} files may have run as tests of their own, and nobody read whether tests in them did not`,
    ]
  const without = new Set<string>()
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const texts = await hub.readFiles(project.id, commit, all.slice(from, from + AT_ONCE), FILE_BYTES)
    const declare = await aside.verdict('declare', [...texts.values()])
    for (const [at, path] of [...texts.keys()].entries()) if (declare?.[at] === false) without.add(path)
  }
  // A name with several meanings says nothing about a file that has tests if another has none. A file too long to read
  // may have tests.
  const empty = places.flatMap(([path = '', ...others]) =>
    path !== '' && [path, ...others].every((one) => !without.has(one)) ? [path] : [],
  )
  return [...new Set(empty)].slice(0, MOST_SAID).map((path) => `the tests of ${path} did not run`)
}
