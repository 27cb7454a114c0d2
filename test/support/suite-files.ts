import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * The suite of a test file. Its folder decides (`vitest.config.ts`), unless its first line does:
 *
 *     // @suite policy-long
 *
 * `npm test` has eight minutes, so long files are in suites that `npm run test:all` runs: floods, kills, a million
 * lines, and files that repeat a theme in one more variant.
 */

const root = join(import.meta.dirname, '../..')
const SUITE = /^\/\/ @suite ([\w-]+)\n/
const LONG_TESTS = "/long-test.ts'\n"

type TestFile = { path: string; suite: string | null; hasLongTests: boolean }

const all: readonly TestFile[] = ['apps/*/src', 'packages/*/src', 'test']
  .flatMap((folder) => globSync(`${folder}/**/*.test.{ts,tsx}`, { cwd: root }))
  .filter((path) => !path.startsWith('test/samples/'))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, suite: SUITE.exec(text)?.[1] ?? null, hasLongTests: text.includes(LONG_TESTS) }
  })

/** Files whose first line names the suite. */
export const inSuite = (name: string): string[] => all.flatMap(({ path, suite }) => (suite === name ? [path] : []))

/** Files whose first line names a suite other than these. */
export const inOtherSuites = (...names: string[]): string[] =>
  all.flatMap(({ path, suite }) => (suite === null || names.includes(suite) ? [] : [path]))

/** Files of a folder with tests that only the long form of its suite runs (`packages/core/src/testing/long-test.ts`). */
export const withLongTests = (folder: string): string[] =>
  all.flatMap(({ path, suite, hasLongTests }) =>
    suite === null && hasLongTests && path.startsWith(`${folder}/`) ? [path] : [],
  )

/** Names of suites in first lines. */
export const namedSuites = (): string[] => [...new Set(all.flatMap(({ suite }) => suite ?? []))]

/**
 * Unit tests that start many processes. A fork copies the page tables of its parent, so these files have workers of
 * their own, which load less than the others and stay smaller.
 */
export const startingProcesses = [
  'packages/agent/**/*.test.ts',
  'apps/server/src/hub/**/*.test.ts',
  'apps/server/src/cli/{executions,forge}/**/*.test.ts',
  'apps/server/src/gateway/scripted/**/*.test.ts',
  'test/parts/**/*.test.ts',
]
