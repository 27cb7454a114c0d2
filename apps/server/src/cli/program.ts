import { Command } from 'commander'
import { addAllowCommand } from './executions/allow-command.ts'
import { addAgentsCommand } from './agents/agents-command.ts'
import { addAttachCommand } from './executions/attach-command.ts'
import { addBackupCommand } from './health/backup-command.ts'
import { addRestoreCommand } from './health/restore-command.ts'
import { addBeadCommands } from './beads/bead-commands.ts'
import { addContainersCommands } from './executions/containers-command.ts'
import { addCompletionCommand } from './completion/completion-command.ts'
import type { CommandContext } from './context.ts'
import { addDiffCommand } from './executions/diff-command.ts'
import { addDigestCommand } from './executions/digest-command.ts'
import { addDoctorCommand } from './health/doctor.ts'
import { clientExits, executionExits } from './exit-code.ts'
import { addForgeCommands } from './forge/forge-command.ts'
import { exitList } from './terminal/help.ts'
import { plainText } from './terminal/terminal-text.ts'
import { addIdsCommand } from './completion/ids-command.ts'
import { addLogCommand } from './executions/log-command.ts'
import { addPrCommand } from './review/pr-command.ts'
import { addProjectCommands } from './projects/project-commands.ts'
import { addReviewCommand } from './review/review-command.ts'
import { addRunCommands } from './executions/run-command.ts'
import { addStartCommand } from './server/start.ts'
import { addStatusCommand } from './server/status-command.ts'
import { addWatchCommand } from './board/watch-command.ts'

/** In the order in which `beadloom --help` lists them. */
const commands: ((program: Command, context: CommandContext) => void)[] = [
  addStartCommand,
  addDoctorCommand,
  addStatusCommand,
  addWatchCommand,
  addProjectCommands,
  addBeadCommands,
  addRunCommands,
  addAllowCommand,
  addAgentsCommand,
  addContainersCommands,
  addAttachCommand,
  addLogCommand,
  addDiffCommand,
  addReviewCommand,
  addPrCommand,
  addForgeCommands,
  addDigestCommand,
  addBackupCommand,
  addRestoreCommand,
  addIdsCommand,
  addCompletionCommand,
]

/** The whole command line. It throws its errors and never ends the process itself. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('beadloom')
    .description(
      'Runs coding agents on beads, the issues of the bd tracker. Each agent works in a hardened container, the server checks the result, and you can watch live in the browser.',
    )
    .version('0.1.0', '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureOutput({
      getOutHelpWidth: () => helpColumns(context.terminal.columns),
      getErrHelpWidth: () => helpColumns(context.terminal.columns),
      outputError: (text, write) => write(plainText(text.replace(/^error: /, 'beadloom: '))),
    })
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({
      minWidthToWrap: 20, // wrap in a narrow window too
      styleTitle: (title) => (context.terminal.colour ? `\x1b[1m${title}\x1b[22m` : title),
    })
    .addHelpText('after', () => `\n${exitList([...clientExits, ...executionExits])}\n${AFTER}`)
  for (const add of commands) add(program, context)
  addHelpCommand(program)
  for (const command of [program, ...allCommands(program)]) command.exitOverride()
  return program
}

/** Much longer lines are hard to read, however wide the window is; a pipe has no width. */
const helpColumns = (columns: number): number => (columns === Infinity ? 80 : Math.min(columns, 100))

/** `help beads create`: commander's own help command takes only one word. */
function addHelpCommand(program: Command): void {
  program
    .command('help [command...]')
    .description('show help for a command')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', '\nExamples:\n  beadloom help run\n  beadloom help beads create')
    .action((words: string[]) => {
      let found = program
      for (const word of words) {
        const below = found.commands.find((command) => command.name() === word)
        if (!below)
          return found.error(`error: there is no command '${words.join(' ')}'`, { code: 'beadloom.noCommand' })
        found = below
      }
      found.help()
    })
}

const AFTER = `
Examples:
  beadloom start                        # the server; keep it running
  beadloom doctor                       # is everything it needs there?
  beadloom project add .                # the repository you are in
  beadloom beads --ready
  beadloom run bl-4f2 --wait
  beadloom watch                        # the board, in this terminal

Every command has --help and --json. Only a terminal gets colours;
NO_COLOR=1 turns them off, FORCE_COLOR=1 forces them on.`

export function allCommands(parent: Command): Command[] {
  return parent.commands.flatMap((command) => [command, ...allCommands(command)])
}
