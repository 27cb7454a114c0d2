import type { Digest } from '../digest/compose.ts'
import { judgeRedGreen, notAsked, type RedGreen } from '../records/red-green.ts'
import type { Verification, VerifyStep } from '../records/verification.ts'
import { chosenTests } from './choose-tests.ts'

/** The builds that ran before a test in the same run of a verification: the test may need their output. */
export const buildsBefore = (rows: readonly Verification[], row: Verification): Verification[] =>
  rows
    .slice(0, rows.indexOf(row))
    .filter(({ type, run, passed, onBase }) => type === 'build' && run === row.run && passed && !onBase)

/** A row's check again, limited to so many milliseconds; `command` replaces its own. */
export const stepAgain = (
  { type, name, command: own }: Verification,
  timeoutMs: number,
  command: string = own,
): VerifyStep => ({ type, name, command, timeoutMs })

/** A row's command for these files' tests alone, or null: it cannot choose. */
export const chosenOf = (
  { command, tool }: Verification,
  files: readonly string[],
  scripts: Record<string, string>,
): string | null => chosenTests({ command, tool, files, scripts })

/** For all runs there together: the result is a fact for people, and nobody waits long for it. */
const LIMIT_MS = 300_000

/**
 * The checks that run new tests without the change: the builds before the tests, and then just these tests. Null: no
 * test command of the attempt can run just these.
 */
export function redGreenSteps(
  verifications: readonly Verification[],
  { attempt, commit }: Pick<Verification, 'attempt' | 'commit'>,
  { files, scripts, testTimeoutMs }: { files: string[]; scripts: Record<string, string>; testTimeoutMs: number },
): VerifyStep[] | null {
  // The commands are those that have passed.
  const rows = verifications.filter(
    (row) => row.attempt === attempt && row.commit === commit && row.passed && row.command !== '',
  )
  const row = rows.find((one) => one.type === 'test' && chosenOf(one, files, scripts) !== null)
  if (!row) return null
  const builds = buildsBefore(rows, row)
  const timeoutMs = Math.min(testTimeoutMs, Math.floor(LIMIT_MS / (builds.length + 1)))
  const tests = chosenOf(row, files, scripts) ?? row.command
  return [...builds.map((build) => stepAgain(build, timeoutMs)), stepAgain(row, timeoutMs, tests)]
}

type Ended = { step: Pick<VerifyStep, 'type'>; exitCode: number | null; digest: Pick<Digest, 'failures' | 'collected'> }

/**
 * The fact that follows from these checks: from the first that failed, else from the last.
 *
 * @param detail the end of their session, in case none of them ran
 */
export function redGreenFact(
  ended: readonly Ended[],
  detail: string,
  added: number,
  files: number,
): Pick<RedGreen, 'is' | 'text'> {
  const end = ended.find(({ exitCode }) => exitCode !== 0) ?? ended.at(-1)
  if (!end) return notAsked(added, files, `without the change nothing could be run (${detail.slice(0, 200)})`)
  const { failures, collected } = end.digest
  // A build that fails without the change is as red as its tests.
  const counts = end.step.type === 'build' ? { failures: null, collected: null } : { failures, collected }
  return judgeRedGreen(added, files, { exitCode: end.exitCode, ...counts })
}
