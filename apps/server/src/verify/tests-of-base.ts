import { isTestedCode, isTestFile } from '@beadloom/core/tamper/tamper.ts'
import { changedTables, newAmongTests } from '@beadloom/core/verdict/original-tests.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { DiffFile } from '../ports/hub/diffs.ts'

const MOST_PATHS = 20_000
const MOST_TESTS = 300
const MOST_CODE = 300
const MOST_TABLES = 20
const SOURCE_BYTES = 64 * 1024

type Source = { path: string; text: string }

/** The tests of the commit where the work began, which are read once, and only on demand. */
export class TestsOfBase {
  readonly #live: LiveExecution
  readonly #base: string
  #paths: Promise<readonly string[]> | null = null
  #tests: Promise<Source[] | null> | null = null

  constructor(live: LiveExecution, base: string) {
    this.#live = live
    this.#base = base
  }

  /**
   * New files among the tests that the tests of that commit name: these could not pass without them. Null: there are
   * more tests than are read.
   */
  async needed(all: readonly DiffFile[]): Promise<readonly string[] | null> {
    const added = newAmongTests(all)
    if (added.length === 0) return []
    const tests = await this.#allTests()
    const texts = tests?.map(({ text }) => text)
    return texts === undefined ? null : this.#live.deps.aside.verdict('named', { paths: added, texts })
  }

  /** Changed files of cases that only the tests of that commit name; none if there is more code than is read. */
  async tables(all: readonly DiffFile[]): Promise<readonly string[]> {
    const paths = changedTables(all)
    if (paths.length === 0 || paths.length > MOST_TABLES) return []
    const code = (await this.#allPaths()).filter(isTestedCode)
    const tests = code.length > MOST_CODE ? null : await this.#allTests()
    if (tests === null || tests.length === 0) return []
    const [changed, ofCode] = [await this.#read(paths), await this.#read(code)]
    return (await this.#live.deps.aside.verdict('tables', { changed, tests, code: ofCode })) ?? []
  }

  #allPaths(): Promise<readonly string[]> {
    const { deps, project } = this.#live
    return (this.#paths ??= deps.hub.paths(project.id, this.#base, MOST_PATHS))
  }

  /** Null: there are too many. */
  #allTests(): Promise<Source[] | null> {
    return (this.#tests ??= this.#allPaths().then((all) => {
      const paths = all.filter(isTestFile)
      return paths.length > MOST_TESTS ? null : this.#read(paths)
    }))
  }

  async #read(paths: readonly string[]): Promise<Source[]> {
    const { deps, project } = this.#live
    const texts = await deps.hub.readFiles(project.id, this.#base, paths, SOURCE_BYTES)
    return [...texts].map(([path, text]) => ({ path, text }))
  }
}
