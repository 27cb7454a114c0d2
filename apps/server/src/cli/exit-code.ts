/** What scripts can rely on. `run --wait` adds the ends of an execution. */
export const exitCode = {
  ok: 0,
  /** The server refused or something is not as it must be; the message says what to do. */
  failed: 1,
  /** The words of the command were off. */
  usage: 2,
  noServer: 3,
  executionFailed: 10,
  executionBlocked: 11,
  executionTimeout: 12,
  executionCancelled: 13,
  /** Ctrl-C, as shells count it. */
  interrupted: 130,
} as const

export const exitCodesHelp = 'Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no server, 130 Ctrl-C.'

/** Ends a command with a sentence instead of a stack. */
export class CliError extends Error {
  override name = 'CliError'
  readonly exit: number
  constructor(message: string, exit: number = exitCode.failed) {
    super(message)
    this.exit = exit
  }
}

/** The server is not there, or went away in the middle; whoever follows something may try again. */
export class NoServer extends CliError {
  override name = 'NoServer'
  constructor(message: string) {
    super(message, exitCode.noServer)
  }
}
