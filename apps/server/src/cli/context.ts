import { Option, type Command } from 'commander'
import { ConfigError } from '@beadloom/core/project-config.ts'
import { dataFolder, type Environment } from '../process/settings.ts'
import { ApiClient } from './api-client.ts'
import { CliError } from './exit-code.ts'
import type { Terminal } from './output.ts'

export type Call = { api: ApiClient; json: boolean; args: unknown[]; options: Record<string, unknown> }

export type Usage = { usage: string; description: string; examples: readonly string[]; more?: string }

/** What every command of a client shares: `--data`, `--json`, examples in its help, and a server to talk to. */
export class CommandContext {
  readonly env: Environment
  readonly cwd: string
  readonly terminal: Terminal

  constructor(env: Environment, cwd: string, terminal: Terminal) {
    this.env = env
    this.cwd = cwd
    this.terminal = terminal
  }

  command(parent: Command, { usage, description, examples, more }: Usage): Command {
    return parent
      .command(usage)
      .description(description)
      .option('--data <folder>', "the server's data folder (default: BEADLOOM_DATA, else the XDG data home)")
      .option('--json', 'print one JSON document and nothing else')
      .addHelpText('after', helpAfter(examples, more))
  }

  /** Commander calls an action with the arguments, then the options, then the command itself. */
  run(action: (call: Call) => Promise<void>): (...given: unknown[]) => Promise<void> {
    return async (...given) => {
      const command = given.at(-1) as Command
      const options = command.opts<Record<string, unknown>>()
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

export const helpAfter = (examples: readonly string[], more?: string): string =>
  [`\nExamples:`, ...examples.map((example) => `  ${example}`), ...(more === undefined ? [] : ['', more])].join('\n')

export const projectOption = (): Option =>
  new Option('-p, --project <id>', 'the project (default: the one whose folder you are in, or the only one)')
