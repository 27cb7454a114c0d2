import { shellWord } from '../../text/shell-word.ts'
import type { Confidence } from '../found.ts'
import type { Manifest } from './manifest.ts'
import { runInWorkspaces, runProgram, runScript, type Among, type PackageManager } from './package-manager.ts'
import { scriptParts, type Part } from './script-parts.ts'
import { eachOf, takenApart, takenApartWithout } from './compound-script.ts'
import {
  isForWorkspaces,
  isLinter,
  isRunner,
  looksEverywhere,
  needsBrowser,
  runnerOf,
  scriptOfAll,
  targetOfNx,
  testsNothing,
  untilItEnds,
  watches,
} from './runners.ts'
import { suitesBeside } from './suites-beside.ts'

/**
 * The tests of a package. `script`: the script that runs them, or null. `lines`: the commands that run in the end.
 * `into`: it also tests the workspaces.
 */
export type PackageTests = {
  command: string
  script: string | null
  confidence: Confidence
  lines: string[]
  into: boolean
  /** Other parts of the script, which are no tests and would keep tests from running. */
  lints?: string[]
}

/** Names of scripts for tests that need only the package, the likeliest first. */
const NAMES = [
  ['test', 'test:unit', 'unit', 'test:ci', 'ci:test', 'test:run', 'test:once', 'test:all', 'tests', 'unit-test'],
  ['test:units', 'unittest', 'test-unit', 'test:node', 'test:js', 'test:vitest', 'test:jest', 'test:mocha', 'vitest'],
  ['jest', 'mocha', 'test:integration', 'test:lib', 'test:src'],
].flat()

/** Test runners among the dependencies, and how they are called. */
const PROGRAMS: readonly (readonly [string, string])[] = [
  ['vitest', 'vitest run'],
  ['jest', 'jest'],
  ['mocha', 'mocha'],
  ['ava', 'ava'],
  ['tap', 'tap'],
]

/**
 * Null: nothing known tests the package. If some of it needs a browser, only the rest runs.
 *
 * @param hasFiles whether it has files of tests
 */
export function testsOfPackage(
  manifest: Manifest,
  manager: PackageManager,
  hasFiles = () => false,
): PackageTests | null {
  const tests = mainTests(manifest, manager, hasFiles)
  if (tests === null || tests.script === null || tests.into || tests.confidence === 'hint') return tests
  const beside = suitesBeside(manifest.scripts, tests.lines).map((name) =>
    ofScript({ name, parts: scriptParts(manifest.scripts, name) }, manifest.scripts, manager),
  )
  if (beside.length === 0) return tests
  const all = [tests, ...beside]
  return {
    ...tests,
    // A command of several parts counts its own failures.
    command: eachOf(all.map(({ command }) => (command.startsWith('failed=') ? `( ${command} )` : command))),
    lines: all.flatMap(({ lines }) => lines),
    lints: [...new Set(all.flatMap(({ lints = [] }) => lints))],
  }
}

function mainTests(manifest: Manifest, manager: PackageManager, hasFiles: () => boolean): PackageTests | null {
  const { scripts, dependencies } = manifest
  const all = NAMES.filter((name) => scripts.has(name)).map((name) => ({ name, parts: scriptParts(scripts, name) }))
  const hollow = all.find((one) => isHollow(one) && all.some((other) => hasRunner(other)))
  const empty = hollow === undefined ? all.find(isHollow) : undefined
  const program = PROGRAMS.some(([name]) => dependencies.includes(name)) ? byProgram(dependencies, manager) : null
  // The runner is installed and has tests: the script itself only lints.
  if (empty !== undefined && program !== null && hasFiles()) return { ...program, lints: lintsIn(empty, manager) }
  const known = all.filter((one) => one !== hollow)
  const usable = known.filter(({ parts }) => !parts.some(({ line }) => needsBrowser(line)))
  const first = usable.find(({ name, parts }) => name === 'test' || parts.some(({ line }) => isRunner(line)))
  const [own] = known
  if (own?.name === 'test' && first?.name !== 'test') {
    // The parts that need no browser; else another script that needs none.
    const left = takenApartWithout(scripts, 'test', manager, needsBrowser)
    const lines = own.parts.map(({ line }) => line).filter((line) => !needsBrowser(line))
    if (left !== null)
      return { command: left.test, script: 'test', confidence: 'said', lines, into: false, lints: left.lints }
    if (first !== undefined) return ofScript(first, scripts, manager)
    const parts = own.parts.filter(({ line }) => !needsBrowser(line))
    if (parts.some(({ line }) => isRunner(line))) return ofParts(parts, manager)
    // No image has a browser: a person has to say that it can run.
    return byProgram(dependencies, manager) ?? { ...ofScript(own, scripts, manager), confidence: 'hint' }
  }
  if (first === undefined) return byProgram(dependencies, manager)
  const ending = usable.find(({ parts }) => parts.length > 0 && parts.every(({ line }) => !watches(line)))
  const isEndless = first.parts.some(({ line }) => watches(line)) && untold(first.parts)
  const tests = ofScript(isEndless && ending !== undefined ? ending : first, scripts, manager)
  return hollow === undefined ? tests : { ...tests, lints: [...(tests.lints ?? []), ...lintsIn(hollow, manager)] }
}

/** A `test` that only lints or prints hides tests that another script runs. */
const isHollow = ({ name, parts }: Named): boolean =>
  name === 'test' && parts.length > 0 && parts.every(({ line }) => testsNothing(line))

const hasRunner = ({ parts }: Named): boolean => parts.some(({ line }) => isRunner(line) && !needsBrowser(line))

const lintsIn = ({ parts }: Named, manager: PackageManager): string[] => [
  ...new Set(parts.filter(({ line }) => isLinter(line)).map(({ script }) => runScript(manager, script))),
]

/** Whether the runner cannot be told to end: only the single command of a script can get more words. */
const untold = (parts: readonly Part[]): boolean => parts.length !== 1 || untilItEnds(parts[0]!.line) === null

type Named = { name: string; parts: Part[] }

function ofScript({ name, parts }: Named, scripts: ReadonlyMap<string, string>, manager: PackageManager): PackageTests {
  const lines = parts.map(({ line }) => line)
  const [only, ...more] = lines
  const into = lines.some(isForWorkspaces)
  const said = { script: name, confidence: 'said' as const, lines, into }
  if (only === undefined || more.length > 0) {
    const { test, lints } = takenApart(scripts, name, manager) ?? { test: runScript(manager, name), lints: [] }
    return { ...said, command: test, lints }
  }
  const all = scriptOfAll(only)
  // A run that stops at the first failing workspace would hide the others.
  if (all !== null) return { ...said, command: runInWorkspaces(manager, all, { having: [], without: [] }) }
  const target = targetOfNx(only)
  if (target !== null) return { ...said, command: inAllOfNx(target, manager) }
  const plain = scripts.get(name)?.trim() === only
  const words = watches(only) ? untilItEnds(only) : plain ? toTheEnd(only) : null
  return { ...said, command: runScript(manager, name, words ?? '') }
}

/** Tests without Nx's cache, so that they run even if they passed before. */
export const inAllOfNx = (target: string, manager: PackageManager): string =>
  runProgram(manager, `nx run-many --target=${target} --skip-nx-cache`)

/** The tests of all projects of Nx that have a `test` target. */
export const testsOfNx = (manager: PackageManager): PackageTests => ({
  command: inAllOfNx('test', manager),
  script: null,
  confidence: 'usual',
  lines: ['nx run-many --target=test'],
  into: true,
})

/** The words that make a runner of many packages continue after a failure. */
function toTheEnd(line: string): string | null {
  if (/\s--(?:\s|$)/.test(line)) return null
  if (/^(?:npx )?turbo\b/.test(line) && !/--continue/.test(line)) return TURBO
  if (/^(?:npx )?nx run-many\b/.test(line) && !/--skip-nx-cache/.test(line)) return '--skip-nx-cache'
  return /^(?:npx )?lerna run\b/.test(line) && !/--no-bail/.test(line) ? '--no-bail' : null
}

/** Each package's output in one piece and unchanged; tests run even if they passed before. */
const TURBO = '--continue --force --log-order=grouped --log-prefix=none'

function ofParts(parts: readonly Part[], manager: PackageManager): PackageTests {
  const commands = parts.map(({ line }) =>
    isRunner(line) && !/^(?:node|bun|npx) /.test(line) ? runProgram(manager, line) : line,
  )
  const lines = parts.map(({ line }) => line)
  return {
    command: commands.join(' && '),
    script: parts[0]?.script ?? null,
    confidence: 'usual',
    lines,
    into: lines.some(isForWorkspaces),
  }
}

function byProgram(dependencies: readonly string[], manager: PackageManager): PackageTests | null {
  const [, line] = PROGRAMS.find(([name]) => dependencies.includes(name)) ?? []
  const own = line !== undefined ? runProgram(manager, line) : manager.name === 'bun' ? 'bun test' : null
  return own === null ? null : { command: own, script: null, confidence: 'usual', lines: [line ?? own], into: false }
}

/** Runs a script in all workspaces, by the tool that knows in which order to build them, if there is one. */
export function workspaceCommand(
  script: string,
  { dependencies, packageManager }: Manifest,
  manager: PackageManager,
  files: readonly string[],
  among: Among,
): string {
  const has = (file: string, name: string): boolean => files.includes(file) && dependencies.includes(name)
  if (has('turbo.json', 'turbo') && packageManager !== null) {
    const filters = among.without.map((folder) => ` --filter=${shellWord(`!./${folder}`)}`).join('')
    return runProgram(manager, `turbo run ${script}${filters} ${TURBO}`)
  }
  if (has('nx.json', 'nx')) return inAllOfNx(script, manager)
  if (has('lerna.json', 'lerna'))
    return runProgram(manager, `lerna run ${script} --no-bail --concurrency=1 --stream --no-prefix`)
  return runInWorkspaces(manager, script, among)
}

/** Whether a root's tests include those of a workspace, which are these lines. */
export const reaches = ({ into, lines }: PackageTests, below: readonly string[]): boolean =>
  into ||
  lines.some(
    (line) => looksEverywhere(line) && below.filter(isRunner).every((other) => runnerOf(other) === runnerOf(line)),
  )
