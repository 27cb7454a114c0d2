import { COMMAND_NOT_FOUND } from '../execution/next-step.ts'
import type { Verification } from '../execution/verification.ts'
import { dependenciesOf } from './phases.ts'
import type { Subtask } from './plan.ts'

/** A shell's exit code for a command that may not be run. */
const NOT_EXECUTABLE = 126

/**
 * Whether a phase only writes tests that a later one makes pass. Tests that nothing implements are about what is there, so
 * they have to pass as any.
 */
export function isRed(phase: readonly Subtask[], all: readonly Subtask[]): boolean {
  if (phase.some(({ type }) => type !== 'test')) return false
  const byId = new Map(all.map((one) => [one.id, one]))
  return phase.some(({ id }) => all.some((one) => one.type === 'impl' && dependenciesOf(one.id, byId).has(id)))
}

/**
 * The checks of a phase that only writes tests, as they count there: its tests have to fail, by what they assert and not
 * because they cannot be run. Everything else has to pass.
 */
export function redRows(rows: readonly Verification[]): Verification[] {
  const tests = rows.filter(({ type }) => type === 'test')
  if (tests.length === 0) return [...rows]
  if (tests.every(({ passed }) => passed))
    return rows.map((row) =>
      row === tests[0] ? { ...row, passed: false, summary: 'the new tests pass already', digest: GREEN } : row,
    )
  return rows.map((row) => {
    if (row.type !== 'test' || row.passed) return row
    if (!failsByAssertion(row)) return { ...row, digest: `${BROKEN}\n${row.digest}` }
    return { ...row, passed: true, summary: `fails before it is implemented, as it should: ${row.summary}`, digest: '' }
  })
}

const GREEN =
  'The tests of this phase pass, although what they are about is not implemented yet: they prove nothing. Write them so that they fail until it is.'
const BROKEN =
  'The tests of this phase have to be collected and to fail by what they assert. These could not be run as tests:'

/** Where no tool counts tests, an exit code of its own is all that is known. */
function failsByAssertion({ exitCode, failures, collected }: Verification): boolean {
  if (exitCode === null || exitCode === COMMAND_NOT_FOUND || exitCode === NOT_EXECUTABLE || exitCode > 128) return false
  return failures !== 0 && collected !== 0
}
