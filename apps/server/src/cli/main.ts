import { Command, CommanderError } from 'commander'
import { addBeadCommands } from './bead-commands.ts'
import { CommandContext } from './context.ts'
import { addDigestCommand } from './digest-command.ts'
import { addDoctorCommand } from './doctor.ts'
import { CliError, exitCode, exitCodesHelp } from './exit-code.ts'
import { addLogCommand } from './log-command.ts'
import { terminalOf } from './output.ts'
import { addProjectCommands } from './project-commands.ts'
import { addStartCommand } from './start.ts'
import { addStatusCommand } from './status-command.ts'
import { plainText } from './terminal-text.ts'

const program = new Command('beadloom')
  .description(
    'Runs coding agents on beads: each in a hardened container, verified by the orchestrator, live in the browser.',
  )
  .version('0.1.0')
  .showHelpAfterError('(add --help to see how it is used)')
  .addHelpText(
    'after',
    `
Examples:
  beadloom start                        # the server; keep it running
  beadloom doctor                       # is everything there that it needs?
  beadloom project add .                # the repository you are in
  beadloom beads --ready
  beadloom run bl-4f2 --wait
  beadloom logs -f bl-4f2

Every command has --help and --json. ${exitCodesHelp}`,
  )

const context = new CommandContext(process.env, process.cwd(), terminalOf(process.stdout, process.stderr, process.env))
addStartCommand(program, context)
addDoctorCommand(program, context)
addStatusCommand(program, context)
addProjectCommands(program, context)
addBeadCommands(program, context)
addLogCommand(program, context)
addDigestCommand(program, context)
for (const command of [program, ...allCommands(program)]) command.exitOverride()

function allCommands(parent: Command): Command[] {
  return parent.commands.flatMap((command) => [command, ...allCommands(command)])
}

const isServer = process.argv[2] === 'start'
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isServer) return // its work goes on, whoever has stopped reading
    if (error.code === 'EPIPE') process.exit(exitCode.ok) // a reader such as `head` that has seen enough
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
  process.stderr.write(`beadloom: this is a bug of Beadloom, please report it with the lines below.\n`)
  throw error
}
