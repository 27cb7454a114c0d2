import { Option, type Command } from 'commander'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { dataFolder, type Environment } from '../process/settings/settings.ts'
import { ApiClient } from './api-client.ts'
import { CliError } from './exit-code.ts'
import { writeHelp, type HelpPage } from './terminal/help.ts'
import type { Terminal } from './terminal/output.ts'

export type Call = { api: ApiClient; json: boolean; args: unknown[]; options: Record<string, unknown> }

export type Usage = HelpPage & {
  usage: string
  /** With `--json` it prints values as they come, one per line. */
  stream?: boolean
}

export const jsonFlag = {
  document: 'print one JSON document and nothing else',
  stream: 'print one JSON value per line',
}

/** Shared by all client commands: `--data`, `--json`, help, and a server to talk to. */
export class CommandContext {
  readonly env: Environment
  readonly cwd: string
  readonly terminal: Terminal

  constructor(env: Environment, cwd: string, terminal: Terminal) {
    this.env = env
    this.cwd = cwd
    this.terminal = terminal
  }

  command(parent: Command, { usage, stream = false, ...page }: Usage): Command {
    const command = parent
      .command(usage)
      .option(
        '--data <folder>',
        "the server's data folder (default: BEADLOOM_DATA, else beadloom in $XDG_DATA_HOME or ~/.local/share)",
      )
      .option('--json', stream ? jsonFlag.stream : jsonFlag.document)
    return writeHelp(command, page)
  }

  /** A command that has an action of its own and subcommands. In `beads show --json` the option belongs to `show`. */
  group(parent: Command, usage: Usage): Command {
    return this.command(parent, usage).enablePositionalOptions().helpCommand(false)
  }

  /** Wraps an action. Commander calls it with the arguments, then the options, then the command itself. */
  run(action: (call: Call) => Promise<void>): (...given: unknown[]) => Promise<void> {
    return async (...given) => {
      const command = given.at(-1) as Command
      // `beads --json show …` means the same as `beads show … --json`.
      const options = command.optsWithGlobals<Record<string, unknown>>()
      const api = new ApiClient(this.data(options))
      await action({ api, json: options['json'] === true, args: given.slice(0, -2), options })
    }
  }

  data(options: Record<string, unknown>): string {
    const flag = options['data']
    try {
      return dataFolder(typeof flag === 'string' ? flag : undefined, this.env, this.cwd)
    } catch (error) {
      throw error instanceof ConfigError ? new CliError(error.problems.join('\n')) : error
    }
  }
}

export const projectOption = (): Option =>
  new Option('-p, --project <id>', 'project id (default: the project whose folder you are in, or the only one)')
