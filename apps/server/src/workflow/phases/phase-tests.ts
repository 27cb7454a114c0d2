import type { Verification } from '@beadloom/core/records/verification.ts'
import { failedTests, type FailedTest } from '@beadloom/core/plan/failed-tests.ts'
import type { PhaseHistory, Round } from '@beadloom/core/plan/phase-step.ts'
import { rowsOfPhase, testsOfPhase, type PhaseTests } from '@beadloom/core/plan/red-phase.ts'
import { plainPath } from '@beadloom/core/plan/touched-files.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import { findingsAt } from '../../verify/failing-at.ts'
import type { Checks } from '../../verify/verify.ts'
import { startOfPhase } from './phase-trees.ts'

/** Each is a search of a commit. Failures beyond that count as failures with these. */
const MOST_NAMES = 40

type Phase = { history: PhaseHistory; round: Round; commit: string; environment: string; checks: Checks }

/**
 * The checks of a phase by its own rule, test by test: green tests stay green, and only tests that wait for a later
 * phase may fail. A test whose name is in no source, because it is made of values, belongs to no subtask.
 */
export async function countedInPhase(
  live: LiveExecution,
  phase: Phase,
  rows: readonly Verification[],
): Promise<Verification[]> {
  const tests = testsOfPhase(phase.history.plan, phase.round.phase)
  const findings = rows.flatMap((row) => (row.type === 'test' && !row.passed ? row.findings : []))
  const failed = tests.have === 'pass' ? [] : failedTests(findings).slice(0, MOST_NAMES)
  return rowsOfPhase(rows, tests, failed.length === 0 ? [] : await brokenBy(live, phase, tests, failed))
}

const brokenBy = (live: LiveExecution, phase: Phase, tests: PhaseTests, failed: FailedTest[]): Promise<string[]> =>
  tests.have === 'pass_but' ? brokenBeside(live, phase, tests, failed) : turnedRed(live, phase, failed)

/** The failed tests that are in no file of a subtask whose tests may fail. */
async function brokenBeside(
  { deps: { hub }, project }: LiveExecution,
  { commit }: Phase,
  { of }: Extract<PhaseTests, { have: 'pass_but' }>,
  failed: readonly FailedTest[],
): Promise<string[]> {
  const paths = of.flatMap(({ filesTouched }) => filesTouched.map(plainPath))
  const broken: string[] = []
  for (const { name, inSource } of failed) {
    const anywhere = await hub.matchingLines(project.id, commit, inSource)
    const waits = paths.includes('') || (await hub.matchingLines(project.id, commit, inSource, paths)) > 0
    if (anywhere > 0 && !waits) broken.push(name)
  }
  return broken
}

/** The failed tests that were there before the phase and did not fail then. */
async function turnedRed(live: LiveExecution, phase: Phase, failed: readonly FailedTest[]): Promise<string[]> {
  const { deps, project } = live
  const before = startOfPhase(phase.history, phase.round.phase)
  const old: string[] = []
  for (const { name, inSource } of failed) {
    const then = await deps.hub.matchingLines(project.id, before, inSource)
    // If more tests have this name now, one is new, and which of them fails is unknown.
    if (then > 0 && (await deps.hub.matchingLines(project.id, phase.commit, inSource)) <= then) old.push(name)
  }
  if (old.length === 0) return []
  const failing = new Set(failedTests(await findingsBefore(live, phase, before)).map(({ name }) => name))
  return old.filter((name) => !failing.has(name))
}

/** The failures where the phase began: from its checks if it had any, else its tests are run there. */
async function findingsBefore(live: LiveExecution, { history, round, ...phase }: Phase, before: string) {
  const { store } = live.deps
  const known = history.verifications.filter(({ commit, purpose }) => commit === before && purpose === 'attempt')
  if (known.length > 0) return known.flatMap(({ type, findings }) => (type === 'test' ? findings : []))
  if (store.isVerified(live.project.id, before)) return []
  return findingsAt(live, phase.environment, before, phase.checks, round.number)
}
