import type { DigestVerdict } from '../digest/compare-digests.ts'
import type { StepType } from '../digest/digest-tool.ts'
import type { ToolTests } from '../digest/tests-run.ts'
import type { SessionId } from '../ids.ts'
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

/** A model that is asked about the work. `model` null: the project's. `required`: its "no" costs the attempt. */
export type JudgeStep = { name: string; prompt: string; model: string | null; required: boolean; timeoutMs: number }

/**
 * What a judge said. `none`: it could not be asked, or gave no answer that can be read. Only a `no` of a required one and
 * a `none` of a required one stand in the way; no answer makes up for a command that failed.
 */
export type Opinion = { model: string; answer: 'yes' | 'no' | 'none'; required: boolean }

const MOST_OF_A_COMMAND = 160

/** `lint (npm run lint)`: which check it was, where several could be meant. Beadloom's own have no command. */
export function stepWords({ name, command }: Pick<Verification, 'name' | 'command'>): string {
  const line = oneLine(command)
  if (line === '') return name
  return `${name} (${line.length <= MOST_OF_A_COMMAND ? line : `${line.slice(0, MOST_OF_A_COMMAND).toWellFormed()}…`})`
}

/** A failed step's digest for whoever has to mend it: what failed, by its name and its command, comes first. */
export const namedDigest = (row: Pick<Verification, 'name' | 'command' | 'digest' | 'summary'>): string =>
  `${row.command === '' ? '' : `The check ${stepWords(row)} failed:\n`}${row.digest || row.summary}`

/** A row that stands in for a check where there is none: it blocks nothing and proves nothing. */
export const provesNothing = ({ passed, exitCode }: Pick<Verification, 'passed' | 'exitCode'>): boolean =>
  passed && exitCode === null

/** `attempt`: a work session's commit; `merge`: that commit together with what the work branch got meanwhile. */
export type VerificationPurpose = 'attempt' | 'merge'

/** The outcome of one step, once. Times are integer milliseconds (UTC where they are moments). */
export type Verification = {
  attempt: number
  purpose: VerificationPurpose
  /** 1, or 2 for the repeated one after a failure on the same commit. */
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
  /** Whose output it was read as: `vitest`, `tsc`, …, `generic`. */
  tool: string
  failures: number | null
  /** Tests that were collected, where the tool says. */
  collected: number | null
  /** What each runner of tests says that it ran; left out where none was seen. */
  tests?: readonly ToolTests[]
  /** One line: "12 tests passed", "3 tests failed". */
  summary: string
  /** Empty when it passed. */
  digest: string
  fingerprint: string
  /** Masked keys of what failed, for the comparison with the next attempt. */
  findings: string[]
  /** Compared with the attempt before; null where nothing failed then or now. */
  verdict: DigestVerdict | null
  /** The command was found on the bead's own commit: the project had none before. */
  made?: boolean
  /** It failed by nothing but what fails on the base, too: that is not counted against the work. */
  onBase?: boolean
  /** Instead of a command's exit code: what a judge said. */
  opinion?: Opinion
  at: number
}
