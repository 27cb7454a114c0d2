import { isTestedCode, isTestFile } from '@beadloom/core/tamper/tamper.ts'
import { changedTables, newAmongTests } from '@beadloom/core/verdict/original-tests.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { DiffFile } from '../ports/hub.ts'

const MOST_PATHS = 20_000
const MOST_TESTS = 300
const SOURCE_BYTES = 64 * 1024

/**
 * New files among the tests that the tests of the commit where the work began name: these could not pass without them. Null:
 * there are more tests than are read.
 */
export async function neededByTests(
  { deps: { hub, aside }, project }: LiveExecution,
  base: string,
  all: readonly DiffFile[],
): Promise<readonly string[] | null> {
  const added = newAmongTests(all)
  if (added.length === 0) return []
  const tests = (await hub.paths(project.id, base, MOST_PATHS)).filter(isTestFile)
  if (tests.length > MOST_TESTS) return null
  const texts = [...(await hub.readFiles(project.id, base, tests, SOURCE_BYTES)).values()]
  return aside.verdict('named', { paths: added, texts })
}

const MOST_TABLES = 20
const MOST_CODE = 300

/** Changed files of cases that the tests of that commit alone name; none where there is more code than is read. */
export async function tablesOfTests(
  { deps: { hub, aside }, project }: LiveExecution,
  base: string,
  all: readonly DiffFile[],
): Promise<readonly string[]> {
  const paths = changedTables(all)
  if (paths.length === 0 || paths.length > MOST_TABLES) return []
  const every = await hub.paths(project.id, base, MOST_PATHS)
  const [tests, code] = [every.filter(isTestFile), every.filter(isTestedCode)]
  if (tests.length === 0 || tests.length > MOST_TESTS || code.length > MOST_CODE) return []
  const read = async (some: readonly string[]) =>
    [...(await hub.readFiles(project.id, base, some, SOURCE_BYTES))].map(([path, text]) => ({ path, text }))
  const [changed, ofTests, ofCode] = [await read(paths), await read(tests), await read(code)]
  return (await aside.verdict('tables', { changed, tests: ofTests, code: ofCode })) ?? []
}
