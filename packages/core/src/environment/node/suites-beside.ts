import { scriptParts, type Part } from './script-parts.ts'
import { isLinter, isRunner, needsBrowser, runnerOf, untilItEnds, watches } from './runners.ts'

/*
 * A package may have several suites, with a script for each. If the main script runs only some of them, the tests of
 * the others would never run.
 */

/**
 * Scripts that are a suite of their own and need only the package. Other names may mean everything (`test:all`,
 * `test:ci`) or need services (`test:integration`).
 */
const SUITES = [
  ['test:unit', 'unit', 'unit-test', 'test:units', 'unittest', 'test-unit', 'test:node', 'test:js', 'test:vitest'],
  ['test:jest', 'test:mocha', 'vitest', 'jest', 'mocha', 'test:lib', 'test:src'],
].flat()

const MOST = 6

/** Scripts whose tests run neither in these lines nor in another such script. */
export function suitesBeside(scripts: ReadonlyMap<string, string>, lines: readonly string[]): string[] {
  const run = new Set<string>()
  const runWhole = new Set<string>()
  const note = (line: string): void => {
    run.add(line)
    if (WHOLE.test(line)) runWhole.add(runnerOf(line))
  }
  lines.forEach(note)
  const beside: string[] = []
  for (const name of SUITES) {
    if (beside.length === MOST || !scripts.has(name)) continue
    const parts = scriptParts(scripts, name)
    const runners = parts.map(({ line }) => line).filter((line) => isRunner(line) && !isLinter(line))
    const isNew = runners.some((line) => !run.has(line) && !runWhole.has(runnerOf(line)))
    if (!isNew || !ends(parts)) continue
    beside.push(name)
    runners.forEach(note)
  }
  return beside
}

const ends = (parts: readonly Part[]): boolean =>
  parts.every(({ line }) => !needsBrowser(line)) &&
  (parts.every(({ line }) => !watches(line)) || (parts.length === 1 && untilItEnds(parts[0]!.line) !== null))

/** A runner without files, and with no settings but its own, runs the same as any other call of it. */
const WHOLE =
  /(?:^|[\s/])(?:vitest|jest|mocha|ava|tap|bun test|--test)(?: run)?(?: -(?!-?(?:c|config|dir|root|rootDir|projects?|selectProjects|testPathPatterns?|spec|g|grep|t|testNamePattern)(?:[=\s]|$))\S+){0,20}$/
