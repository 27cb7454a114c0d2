import type { ExecutionState } from '@beadloom/core/records/execution.ts'
import { NoServer } from '../health/server-file.ts'
import { UserError } from '../process/user-error.ts'

/** The exit codes that scripts can rely on. `run --wait` and `attach` add the ends of an execution. */
export const exitCode = {
  ok: 0,
  /** The server refused, or there is a problem; the message says what to do. */
  failed: 1,
  /** The command line is not valid. */
  usage: 2,
  noServer: 3,
  executionFailed: 10,
  executionBlocked: 11,
  executionTimeout: 12,
  executionCancelled: 13,
  /** A bug ended the server. A service manager starts it again after this code, and after no other code of its own. */
  crashed: 70,
  /** Ctrl-C, with the code that shells use. */
  interrupted: 130,
} as const

export type ExitName = keyof typeof exitCode

/** One wording for `--help` and for docs/command-line.md. */
export const exitMeanings: Record<ExitName, string> = {
  ok: 'done',
  failed: 'refused or failed; the message says what to do',
  usage: 'usage error',
  noServer: 'no server is running on this data folder',
  executionFailed: 'the execution ended FAILED',
  executionBlocked: 'the execution ended BLOCKED',
  executionTimeout: 'the execution ended TIMEOUT',
  executionCancelled: 'the execution ended CANCELLED',
  crashed: 'the server crashed: a bug',
  interrupted: 'Ctrl-C',
}

/** Exit codes of every command that talks to a server. */
export const clientExits = ['ok', 'failed', 'usage', 'noServer'] as const satisfies readonly ExitName[]
/** Exit codes of a command that needs no server. */
export const localExits = ['ok', 'failed', 'usage'] as const satisfies readonly ExitName[]
/** Additional exit codes of commands that follow an execution to its end. */
export const executionExits = [
  'executionFailed',
  'executionBlocked',
  'executionTimeout',
  'executionCancelled',
  'interrupted',
] as const satisfies readonly ExitName[]

/** The exit code of a command that waited for an execution, by its end. */
export function exitOfExecution(state: ExecutionState): number {
  const codes: Record<ExecutionState, number> = {
    COMPLETED: exitCode.ok,
    FAILED: exitCode.executionFailed,
    BLOCKED: exitCode.executionBlocked,
    TIMEOUT: exitCode.executionTimeout,
    CANCELLED: exitCode.executionCancelled,
    QUEUED: exitCode.failed,
    RUNNING: exitCode.failed,
  }
  return codes[state]
}

/**
 * For a command whose exit code says how work ended: until that is known, no end of the command means success, not even
 * that the reader of its output has gone.
 */
export const noEndYet = (): void => void (process.exitCode = exitCode.failed)

/** Ends a command with an exit code of its own. */
export class CliError extends UserError {
  override name = 'CliError'
  readonly exit: number
  constructor(message: string, exit: number = exitCode.failed) {
    super(message)
    this.exit = exit
  }
}

/** The server refused, in its own words; `code` is the API's word for the reason. */
export class Refused extends CliError {
  override name = 'Refused'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The exit code of a command that an error ended. */
export const exitOfError = (error: UserError): number =>
  error instanceof CliError ? error.exit : error instanceof NoServer ? exitCode.noServer : exitCode.failed
