import { runnerNamed, scriptNamed } from './named-runner.ts'

/** A script that names scripts that name scripts: further in, nobody follows. */
const MOST_DEPTH = 3
const MOST_PARTS = 40
const TESTS = /(?:^|[^a-z])(?:test|tests|spec|check|verify|e2e)(?:[^a-z]|$)/i

export type CommandPart = { words: string; runner: string | null }

/**
 * The tests of a command line that runs several things one after the other, of which one that fails keeps those behind it
 * from running: `tsc && vitest run && node --test`. Scripts of `package.json` are followed.
 */
export function testParts(command: string, scripts: Readonly<Record<string, unknown>>): CommandPart[] {
  return partsOf(command, scripts, 0)
    .filter((words) => TESTS.test(words) || runnerNamed(words, {}) !== null)
    .map((words) => ({ words, runner: runnerNamed(words, {}) }))
}

function partsOf(command: string, scripts: Readonly<Record<string, unknown>>, depth: number): string[] {
  return command
    .slice(0, 10_000)
    .split(/&&|;|\|\|?|\n/, MOST_PARTS)
    .flatMap((part) => {
      const words = part.trim()
      const name = depth < MOST_DEPTH ? scriptNamed(words) : null
      const script = name === null ? undefined : scripts[name]
      return typeof script === 'string' ? partsOf(script, scripts, depth + 1) : words === '' ? [] : [words]
    })
    .slice(0, MOST_PARTS)
}

/**
 * Whether a command that failed may have ended before its last tests. It has not where the runner of these was seen, and
 * no part before them has the same.
 */
export function mayHaveStopped(parts: readonly CommandPart[], seen: readonly string[]): boolean {
  const last = parts.at(-1)
  if (parts.length < 2 || last === undefined) return false
  const { runner } = last
  return runner === null || !seen.includes(runner) || parts.slice(0, -1).some((part) => part.runner === runner)
}
