import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { CommandContext } from './context.ts'
import { CliError, exitCode } from './exit-code.ts'
import { terminalOf } from './terminal/output.ts'
import { plainText } from './terminal/terminal-text.ts'

const context = new CommandContext(process.env, process.cwd(), terminalOf(process.stdout, process.stderr, process.env))
const isServer = process.argv[2] === 'start'
const { createProgram } = isServer ? await import('./server-program.ts') : await import('./program.ts')
const program = createProgram(context)

process.on('uncaughtException', crash)

/** The server's code tells those who watch over it that this was no refusal. */
function crash(error: unknown): void {
  process.stderr.write('beadloom: this is a bug in Beadloom. Please report it with the lines below.\n')
  process.stderr.write(`${inspect(error)}\n`)
  process.exit(isServer ? exitCode.crashed : exitCode.failed)
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isServer) return // it keeps working, whoever has stopped reading
    if (error.code === 'EPIPE') process.exit(exitCode.ok) // a reader such as `head` has seen enough
    if (stream !== process.stderr) process.stderr.write(`beadloom: the output cannot be written: ${error.message}\n`)
    process.exit(exitCode.failed)
  })
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? exitCode.ok : exitCode.usage)
  if (error instanceof CliError) {
    process.stderr.write(`beadloom: ${plainText(error.message)}\n`)
    process.exit(error.exit)
  }
  crash(error)
}
