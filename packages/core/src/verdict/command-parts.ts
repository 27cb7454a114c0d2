import { digestTools } from '../digest/tools.ts'
import { meaningOf, type NamedCommands } from './named-commands.ts'

/** A script that names scripts that name scripts: further in, nobody follows. */
const MOST_DEPTH = 3
const MOST_PARTS = 40
const TESTS = /(?:^|[^a-z])(?:test|tests|spec|check|verify|e2e)(?:[^a-z]|$)/i

/** Options with which a runner ends at its first failure. */
const STOPS =
  /(?:^|\s)(?:-x|--exitfirst|--maxfail|--bail|--failfast|-failfast|--fail-fast|--stop-on-failure)(?:[=\s]|$)/

export type CommandPart = { words: string; runner: string | null }

/**
 * The tests of a command line that runs several things one after the other, of which one that fails keeps those behind it
 * from running: `tsc && vitest run && node --test`. Scripts of `package.json` and targets of a Makefile are followed.
 */
export function testParts(command: string, named: NamedCommands): CommandPart[] {
  return partsOf(command, named, 0)
    .filter((words) => runnerOf(words) !== null || (TESTS.test(words) && !isNoTest(words)))
    .map((words) => ({ words, runner: runnerOf(words) }))
}

/** The runner of tests that is in these words. */
const runnerOf = (words: string): string | null =>
  digestTools.find(
    ({ type, wraps, watches, command }) =>
      type === 'test' && wraps !== true && watches !== true && command?.test(words),
  )?.name ?? null

/** The runner of tests that a command starts first, by its words or by those that it stands for; null: they name none. */
export const runnerNamed = (command: string, named: NamedCommands): string | null =>
  testParts(command, named).find(({ runner }) => runner !== null)?.runner ?? null

/** "ruff check ." tests nothing. */
const isNoTest = (words: string): boolean =>
  digestTools.some(({ type, command }) => type === 'lint' && command?.test(words))

function partsOf(command: string, named: NamedCommands, depth: number): string[] {
  return command
    .slice(0, 10_000)
    .split(/&&|;|\|\|?|\n/, MOST_PARTS)
    .flatMap((part) => {
      const words = part.trim()
      const meaning = depth < MOST_DEPTH ? meaningOf(words, named) : null
      return meaning !== null ? partsOf(meaning, named, depth + 1) : words === '' ? [] : [words]
    })
    .slice(0, MOST_PARTS)
}

/**
 * Whether a command that failed may have ended before its last tests. It has not where the runner of these was seen, and
 * no part before them has the same.
 */
export function mayHaveStopped(parts: readonly CommandPart[], seen: readonly string[]): boolean {
  const last = parts.at(-1)
  if (parts.some(({ words }) => STOPS.test(words))) return true
  if (parts.length < 2 || last === undefined) return false
  const { runner } = last
  return runner === null || !seen.includes(runner) || parts.slice(0, -1).some((part) => part.runner === runner)
}
