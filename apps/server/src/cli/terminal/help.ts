import type { Command } from 'commander'
import { clientExits, exitCode, exitMeanings, type ExitName } from '../exit-code.ts'

export type HelpPage = {
  /** One line without a full stop, for the list of commands. */
  description: string
  /** The details: paragraphs. */
  more?: string
  /** The arguments' descriptions, by name. */
  arguments?: Record<string, string>
  examples: readonly string[]
  /** Default: the codes of every command that talks to a server. */
  exits?: readonly ExitName[]
}

/** Adds what commander's own help page lacks: details, exit codes and examples. */
export function writeHelp(command: Command, { description, more, exits = clientExits, ...page }: HelpPage): Command {
  const sentence = `${description.slice(0, 1).toUpperCase()}${description.slice(1)}.`
  for (const argument of command.registeredArguments) {
    const text = page.arguments?.[argument.name()]
    if (text !== undefined) argument.description = text
  }
  return command
    .summary(description)
    .description(more === undefined ? sentence : `${sentence}\n\n${more}`)
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', `\n${exitList(exits)}\n\n${list('Examples:', page.examples)}`)
}

export const exitList = (names: readonly ExitName[]): string =>
  list(
    'Exit codes:',
    names.map((name) => `${String(exitCode[name]).padEnd(5)}${exitMeanings[name]}`),
  )

const list = (title: string, lines: readonly string[]): string =>
  [title, ...lines.map((line) => `  ${line}`)].join('\n')
