import type { DigestVerdict } from '../digest/compare-digests.ts'
import type { StepType } from '../digest/digest-tool.ts'
import type { ToolTests } from '../digest/tests-run.ts'
import type { SessionId } from './ids.ts'
import { oneLine } from '../text/one-line.ts'

/** One of the checks that decide whether work is good, in the order in which they run. */
export type VerifyStep = {
  type: StepType
  name: string
  command: string
  timeoutMs: number
  /** Files and folders: it runs only for a change of one of them. Without them it runs for every change. */
  paths?: readonly string[]
}

/** A model that judges the work. `model` null: the project's. `required`: its "no" fails the attempt. */
export type JudgeStep = { name: string; prompt: string; model: string | null; required: boolean; timeoutMs: number }

/**
 * A judge's answer. `none`: it could not be asked, or gave no readable answer. Only a `no` or a `none` of a required
 * judge blocks; a `yes` does not make up for a failed command.
 */
export type Opinion = { model: string; answer: 'yes' | 'no' | 'none'; required: boolean }

const MOST_OF_A_COMMAND = 160

/** `lint (npm run lint)`: a check's name and command, to tell it from others. Beadloom's own checks have no command. */
export function stepWords({ name, command }: Pick<Verification, 'name' | 'command'>): string {
  const line = oneLine(command)
  if (line === '') return name
  return `${name} (${line.length <= MOST_OF_A_COMMAND ? line : `${line.slice(0, MOST_OF_A_COMMAND).toWellFormed()}…`})`
}

/** A failed step's digest for the agent or person who repairs it; the step's name and command come first. */
export const namedDigest = (row: Pick<Verification, 'name' | 'command' | 'digest' | 'summary'>): string =>
  `${row.command === '' ? '' : `The check ${stepWords(row)} failed:\n`}${row.digest || row.summary}`

/** Whether a row only stands in for a missing check: it blocks nothing and proves nothing. */
export const provesNothing = ({ passed, exitCode }: Pick<Verification, 'passed' | 'exitCode'>): boolean =>
  passed && exitCode === null

/** `attempt`: a work session's commit; `merge`: that commit merged with the new commits of the work branch. */
export type VerificationPurpose = 'attempt' | 'merge'

/** The outcome of one step, once. Times are integer milliseconds (UTC where they are moments). */
export type Verification = {
  attempt: number
  purpose: VerificationPurpose
  /** 1, or 2 for the re-check after a failure on the same commit. */
  run: number
  step: number
  session: SessionId
  name: string
  type: StepType
  command: string
  commit: string
  passed: boolean
  exitCode: number | null
  durationMs: number
  /** The tool whose format its output has: `vitest`, `tsc`, …, `generic`. */
  tool: string
  failures: number | null
  /** Collected tests, if the tool counts them. */
  collected: number | null
  /** Tests that ran, as each test runner reports them; left out if no runner was seen. */
  tests?: readonly ToolTests[]
  /** One line: "12 tests passed", "3 tests failed". */
  summary: string
  /** Empty if it passed. */
  digest: string
  fingerprint: string
  /** Masked keys of the failures, for the comparison with the next attempt. */
  findings: string[]
  /** Compared with the previous attempt; null if nothing failed then or now. */
  verdict: DigestVerdict | null
  /** The command was found on the bead's own commit: the project had none before. */
  made?: boolean
  /** All of its failures are on the base, too, so they are not counted against the work. */
  onBase?: boolean
  /** A judge's opinion, instead of a command's exit code. */
  opinion?: Opinion
  at: number
}
