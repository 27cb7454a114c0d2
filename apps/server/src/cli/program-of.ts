import { Command } from 'commander'
import type { CommandContext } from './context.ts'
import { clientExits, executionExits } from './exit-code.ts'
import { exitList } from './terminal/help.ts'
import { plainText } from './terminal/terminal-text.ts'

export type AddCommand = (program: Command, context: CommandContext) => void

/** The command line with these commands. It throws its errors and never ends the process itself. */
export function programOf(context: CommandContext, commands: readonly AddCommand[]): Command {
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
