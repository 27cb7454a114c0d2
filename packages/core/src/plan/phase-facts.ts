import type { Verification } from '../records/verification.ts'
import { stepWords } from '../records/verification.ts'
import { oneLine } from '../text/one-line.ts'
import { testsOfPhase } from './red-phase.ts'
import type { Subtask } from '../records/plan.ts'

const MOST_FAILING = 5
const MOST_WAITING = 10

/**
 * The server's own facts about a phase's commit, for its reviewer: its place in the plan, the result of each check, and
 * the tests that may still fail.
 *
 * @param rows the last verification of this commit
 */
export function phaseFacts(
  phases: readonly (readonly Subtask[])[],
  number: number,
  rows: readonly Verification[],
): string[] {
  const tests = testsOfPhase(phases, number)
  const own = phases[number - 1] ?? []
  return [
    `This is phase ${number} of ${phases.length} of a plan; what later phases do is not missing here`,
    ...(own.every(({ type }) => type === 'test')
      ? ['This phase writes tests alone: judge whether they would test the right behaviour, not whether they pass']
      : []),
    ...rows.map(checkFact),
    ...(tests.have === 'pass_but' ? tests.of.slice(0, MOST_WAITING).map(waitingFact) : []),
  ]
}

function checkFact(row: Verification): string {
  const { exitCode, summary, findings } = row
  const ended = exitCode === null ? 'did not run to an end' : `ended with exit code ${exitCode}`
  const shown = findings.slice(0, MOST_FAILING).map((one) => oneLine(one).slice(0, 80).toWellFormed())
  const failing = exitCode === 0 || shown.length === 0 ? '' : `. Failed: ${shown.join('; ')}`
  const more = failing === '' || findings.length <= MOST_FAILING ? '' : ` and ${findings.length - MOST_FAILING} more`
  return `The check ${stepWords(row)} ${ended} on this commit: ${oneLine(summary)}${failing}${more}`
}

const waitingFact = ({ title, filesTouched }: Subtask): string =>
  `The tests of the subtask "${oneLine(title)}" (${filesTouched.map(oneLine).join(', ')}) may fail here: a later phase implements what they are about`
