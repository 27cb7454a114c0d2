import { inspect } from 'node:util'
import { CommanderError, type Command } from 'commander'
import { CommandContext } from './context.ts'
import { exitCode, exitOfError } from './exit-code.ts'
import { UserError } from '../process/user-error.ts'
import { terminalOf } from './terminal/output.ts'
import { plainText } from './terminal/terminal-text.ts'

/** Runs this process's command line: errors become a sentence and an exit code. */
export async function runProgram(
  createProgram: (context: CommandContext) => Command,
  isServer: boolean,
): Promise<void> {
  const terminal = terminalOf(process.stdout, process.stderr, process.env)
  const program = createProgram(new CommandContext(process.env, process.cwd(), terminal))
  // The server's exit code tells a service manager that this was not a refusal.
  const crash = (error: unknown) => {
    process.stderr.write('beadloom: this is a bug in Beadloom. Please report it with the lines below.\n')
    process.stderr.write(`${inspect(error)}\n`)
    process.exit(isServer ? exitCode.crashed : exitCode.failed)
  }
  process.on('uncaughtException', crash)
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isServer) return // it keeps working, even if nobody reads its output
      // A reader such as `head` has seen enough. A command that follows work has its own code by now.
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCode.ok)
      if (stream !== process.stderr) process.stderr.write(`beadloom: the output cannot be written: ${error.message}\n`)
      process.exit(exitCode.failed)
    })
  }
  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? exitCode.ok : exitCode.usage)
    if (error instanceof UserError) {
      process.stderr.write(`beadloom: ${plainText(error.message)}\n`)
      process.exit(exitOfError(error))
    }
    crash(error)
  }
}
