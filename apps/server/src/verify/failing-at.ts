import type { LiveExecution } from '../execution/live-execution.ts'
import { runBeside } from './run-beside.ts'
import type { Checks } from './verify.ts'

/**
 * Runs the tests of a commit and returns their failures, as findings of their digests. They decide nothing by
 * themselves, and their results are not stored.
 *
 * @param attempt the attempt under which the session is listed
 */
export async function findingsAt(
  live: LiveExecution,
  environment: string,
  commit: string,
  { steps: all }: Pick<Checks, 'steps'>,
  attempt: number,
): Promise<string[]> {
  const steps = all.filter(({ type }) => type === 'build' || type === 'test')
  const run = { attempt, serial: `before-${attempt}`, commit, steps, all: true as const }
  const { ended } = await runBeside(live, environment, run)
  return ended.flatMap(({ step, exitCode, digest }) => (step.type === 'test' && exitCode !== 0 ? digest.findings : []))
}
