import { scriptParts, type Part } from './script-parts.ts'
import { isLinter, isRunner, needsBrowser, runnerOf, untilItEnds, watches } from './runners.ts'

/*
 * A package may have several suites, and a script for each: where the one that counts runs only some of them, the tests of
 * the others would run nowhere.
 */

/**
 * Scripts that are a suite of their own, and need nobody and nothing but the package. Of the other names some are the whole
 * (`test:all`, `test:ci`), and some need services (`test:integration`).
 */
const SUITES = [
  ['test:unit', 'unit', 'unit-test', 'test:units', 'unittest', 'test-unit', 'test:node', 'test:js', 'test:vitest'],
  ['test:jest', 'test:mocha', 'vitest', 'jest', 'mocha', 'test:lib', 'test:src'],
].flat()

const MOST = 6

/** Scripts whose tests are in none of these lines, nor in those of another such script. */
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

/** A runner that is told of no files, and of no settings but its own, runs what any call of it does. */
const WHOLE =
  /(?:^|[\s/])(?:vitest|jest|mocha|ava|tap|bun test|--test)(?: run)?(?: -(?!-?(?:c|config|dir|root|rootDir|projects?|selectProjects|testPathPatterns?|spec|g|grep|t|testNamePattern)(?:[=\s]|$))\S+){0,20}$/
