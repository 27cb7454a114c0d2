import { PASS_EARLY } from '../execution/failure/failing-checks.ts'
import { COMMAND_NOT_FOUND } from '../execution/next-step.ts'
import { digestTools } from '../digest/tools.ts'
import type { Verification } from '../records/verification.ts'
import { oneLine } from '../text/one-line.ts'
import { isLoadError, isUnread } from './failed-tests.ts'
import type { Subtask } from '../records/plan.ts'

/** A shell's exit code for a command that may not be run. */
const NOT_EXECUTABLE = 126

/**
 * The required results of tests after a phase. `pass`: all pass. `fail`: its new tests fail, because nothing implements
 * them yet. `pass_but`: all pass except those of these subtasks, which a later phase makes pass.
 */
export type PhaseTests = { have: 'pass' } | { have: 'fail' } | { have: 'pass_but'; of: Subtask[] }

/** @param number the phase's number, from 1 */
export function testsOfPhase(phases: readonly (readonly Subtask[])[], number: number): PhaseTests {
  const later = new Set(
    phases
      .slice(number)
      .flat()
      .map(({ id }) => id),
  )
  const waiting = phases
    .slice(0, number)
    .flat()
    .filter((one) => one.type === 'test' && implementing(one, phases.flat()).some(({ id }) => later.has(id)))
  const own = phases[number - 1] ?? []
  if (waiting.length === 0) return { have: 'pass' }
  const writesOnly = own.every(({ type }) => type === 'test') && own.some((one) => waiting.includes(one))
  return writesOnly ? { have: 'fail' } : { have: 'pass_but', of: waiting }
}

/**
 * The subtasks that make a test pass: the impl subtasks that depend on it; if there are none, those that depend on its
 * dependents.
 */
function implementing({ id }: Subtask, all: readonly Subtask[]): Subtask[] {
  const found = new Set<Subtask>()
  // Each subtask once: layers that all depend on each other have very many paths.
  const behind = new Set([id])
  for (const at of behind) {
    const dependents = all.filter(({ dependsOn }) => dependsOn.includes(at))
    const direct = dependents.filter(({ type }) => type === 'impl')
    for (const one of direct) found.add(one)
    if (direct.length === 0) for (const one of dependents) behind.add(one.id)
  }
  return [...found]
}

/**
 * The results of a phase's checks that count. Tests that have to fail must fail by their assertions, and not because
 * they cannot run. All other checks have to pass.
 *
 * @param broken names of failing tests that have to pass
 */
export function rowsOfPhase(
  rows: readonly Verification[],
  { have }: PhaseTests,
  broken: readonly string[] = [],
): Verification[] {
  const tests = rows.filter(({ type }) => type === 'test')
  if (have === 'pass' || tests.length === 0) return [...rows]
  if (tests.every(({ passed }) => passed))
    return have === 'pass_but'
      ? [...rows]
      : rows.map((row) => (row === tests[0] ? { ...row, passed: false, summary: PASS_EARLY, digest: GREEN } : row))
  return rows.map((row) => {
    if (row.type !== 'test' || row.passed) return row
    const unrun = unrunOf(row)
    if (unrun.length > 0) return { ...row, digest: `${BROKEN}\n${listed(unrun)}\n${STUB}\n\n${row.digest}` }
    if (!failsByAssertion(row)) return { ...row, digest: `${BROKEN}\n${row.digest}` }
    if (broken.length > 0) return { ...row, digest: `${TURNED_RED}\n${listed(broken)}\n\n${row.digest}` }
    return { ...row, passed: true, summary: `${asItShould[have]}: ${row.summary}`, digest: '' }
  })
}

const asItShould = {
  fail: 'fails before it is implemented, as it should',
  pass_but: 'only what is not implemented yet may fail, as it should',
}

const MOST_NAMED = 20
const listed = (names: readonly string[]): string =>
  [
    ...names.slice(0, MOST_NAMED).map((name) => `- ${oneLine(name)}`),
    ...(names.length > MOST_NAMED ? [`- and ${names.length - MOST_NAMED} more`] : []),
  ].join('\n')

const TURNED_RED =
  'These tests passed before this phase, or are about what is done already, and have to pass. Leave them as they were, and write new ones beside them:'
const GREEN =
  'The tests of this phase pass, although what they are about is not implemented yet: they prove nothing. Write them so that they fail until it is.'
const BROKEN =
  'The tests of this phase have to be collected and to fail by what they assert. These could not be run as tests:'

const STUB =
  'Where what they are about is needed to import or compile them, add as little of it as lets them run and fail.'

/** Parts whose tests did not run: a file that cannot be collected, a package that does not compile. */
function unrunOf({ findings, tests = [], tool, summary, failures, collected }: Verification): string[] {
  const isCounted = failures !== null || collected !== null
  const isUnrun = (finding: string) => isUnread(finding) || (!isCounted && isLoadError(finding))
  const parts = [...tests.flatMap(({ unrun }) => unrun), ...findings.filter(isUnrun)]
  // The output is a compiler's: no test ran after it.
  const isCompiler = digestTools.some(({ name, type }) => name === tool && type === 'build')
  return parts.length === 0 && isCompiler ? [summary] : parts
}

/** Whether tests failed by assertion. If no tool counts tests, only the exit code is known. */
function failsByAssertion({ exitCode, failures, collected }: Verification): boolean {
  if (exitCode === null || exitCode === COMMAND_NOT_FOUND || exitCode === NOT_EXECUTABLE || exitCode > 128) return false
  return failures !== 0 && collected !== 0
}
