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
 * How a package is tested. `script`: which of its scripts says it, null for none. `lines`: what is run in the end.
 * `into`: it goes on to the workspaces by itself.
 */
export type PackageTests = {
  command: string
  script: string | null
  confidence: Confidence
  lines: string[]
  into: boolean
  /** What else the script does, which is no test and would keep tests from running. */
  lints?: string[]
}

/** Scripts that are named for tests which need nobody and nothing but the package, the likeliest first. */
const NAMES = [
  ['test', 'test:unit', 'unit', 'test:ci', 'ci:test', 'test:run', 'test:once', 'test:all', 'tests', 'unit-test'],
  ['test:units', 'unittest', 'test-unit', 'test:node', 'test:js', 'test:vitest', 'test:jest', 'test:mocha', 'vitest'],
  ['jest', 'mocha', 'test:integration', 'test:lib', 'test:src'],
].flat()

/** Dependencies that test, and how they are called. */
const PROGRAMS: readonly (readonly [string, string])[] = [
  ['vitest', 'vitest run'],
  ['jest', 'jest'],
  ['mocha', 'mocha'],
  ['ava', 'ava'],
  ['tap', 'tap'],
]

/**
 * Null: nothing that is known tests it. Where a browser is needed for some of it, the rest is what can be run.
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
    // What is several itself counts its own failures.
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
  // The runner is there, and so are its tests: what the script says instead is a linter.
  if (empty !== undefined && program !== null && hasFiles()) return { ...program, lints: lintsIn(empty, manager) }
  const known = all.filter((one) => one !== hollow)
  const usable = known.filter(({ parts }) => !parts.some(({ line }) => needsBrowser(line)))
  const first = usable.find(({ name, parts }) => name === 'test' || parts.some(({ line }) => isRunner(line)))
  const [own] = known
  if (own?.name === 'test' && first?.name !== 'test') {
    // What needs no browser of it; else a script of its own that needs none.
    const left = takenApartWithout(scripts, 'test', manager, needsBrowser)
    const lines = own.parts.map(({ line }) => line).filter((line) => !needsBrowser(line))
    if (left !== null)
      return { command: left.test, script: 'test', confidence: 'said', lines, into: false, lints: left.lints }
    if (first !== undefined) return ofScript(first, scripts, manager)
    const parts = own.parts.filter(({ line }) => !needsBrowser(line))
    if (parts.some(({ line }) => isRunner(line))) return ofParts(parts, manager)
    // Nothing here has a browser: it is for a person to say that it can be run.
    return byProgram(dependencies, manager) ?? { ...ofScript(own, scripts, manager), confidence: 'hint' }
  }
  if (first === undefined) return byProgram(dependencies, manager)
  const ending = usable.find(({ parts }) => parts.length > 0 && parts.every(({ line }) => !watches(line)))
  const isEndless = first.parts.some(({ line }) => watches(line)) && untold(first.parts)
  const tests = ofScript(isEndless && ending !== undefined ? ending : first, scripts, manager)
  return hollow === undefined ? tests : { ...tests, lints: [...(tests.lints ?? []), ...lintsIn(hollow, manager)] }
}

/** A `test` that lints or prints says nothing of tests which another script runs. */
const isHollow = ({ name, parts }: Named): boolean =>
  name === 'test' && parts.length > 0 && parts.every(({ line }) => testsNothing(line))

const hasRunner = ({ parts }: Named): boolean => parts.some(({ line }) => isRunner(line) && !needsBrowser(line))

const lintsIn = ({ parts }: Named, manager: PackageManager): string[] => [
  ...new Set(parts.filter(({ line }) => isLinter(line)).map(({ script }) => runScript(manager, script))),
]

/** Words can be handed to the only command of a script. */
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
  // What stops at the first workspace that fails hides the others.
  if (all !== null) return { ...said, command: runInWorkspaces(manager, all, { having: [], without: [] }) }
  const target = targetOfNx(only)
  if (target !== null) return { ...said, command: inAllOfNx(target, manager) }
  const plain = scripts.get(name)?.trim() === only
  const words = watches(only) ? untilItEnds(only) : plain ? toTheEnd(only) : null
  return { ...said, command: runScript(manager, name, words ?? '') }
}

/** Tests that were seen to pass before run all the same. */
export const inAllOfNx = (target: string, manager: PackageManager): string =>
  runProgram(manager, `nx run-many --target=${target} --skip-nx-cache`)

/** What a runner of many packages is told so that one which fails does not keep the others from running. */
function toTheEnd(line: string): string | null {
  if (/\s--(?:\s|$)/.test(line)) return null
  if (/^(?:npx )?turbo\b/.test(line) && !/--continue/.test(line)) return TURBO
  if (/^(?:npx )?nx run-many\b/.test(line) && !/--skip-nx-cache/.test(line)) return '--skip-nx-cache'
  return /^(?:npx )?lerna run\b/.test(line) && !/--no-bail/.test(line) ? '--no-bail' : null
}

/** Each package's output in one piece and as it is printed; what was seen to pass before is run all the same. */
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

/** How a script is run in all workspaces: by the tool that knows in which order they are built, where there is one. */
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

/** Whether a root's tests reach those of a workspace, which are these lines. */
export const reaches = ({ into, lines }: PackageTests, below: readonly string[]): boolean =>
  into ||
  lines.some(
    (line) => looksEverywhere(line) && below.filter(isRunner).every((other) => runnerOf(other) === runnerOf(line)),
  )
