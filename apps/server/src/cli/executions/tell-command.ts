import { text as textOf } from 'node:stream/consumers'
import { Option, type Command } from 'commander'
import { isVisible } from '@beadloom/core/text/visible.ts'
import { messageTimes, MOST_OF_A_MESSAGE, type Message, type MessageTime } from '@beadloom/core/records/message.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { messageStateText } from '@beadloom/core/views/message-state.ts'
import { segment } from '../api-client.ts'
import { chooseExecution } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { print } from '../terminal/output.ts'
import { oneLiner, plainText } from '../terminal/terminal-text.ts'

/** `tell`: says something to the agent of a running bead. */
export function addTellCommand(program: Command, context: CommandContext): void {
  context
    .command(program, {
      usage: 'tell <bead> [text]',
      description: 'say something to the agent of a running bead, or list what was said',
      more: "The agent gets it with its next request to its model, or, with --when turn, once it has ended its turn by itself. With --when now its command or its model's answer ends first. Work with a message that no agent has read is not complete: it goes back to an agent first.",
      arguments: {
        bead: 'bead id or execution id',
        text: 'your words; "-" reads standard input; left out: everything that was said, and whether it was read',
      },
      examples: [
        'beadloom tell bl-4f2 "Use the parser that we have, in src/parse.ts."',
        'beadloom tell bl-4f2 --when turn "Then update the changelog, too."',
        'beadloom tell bl-4f2 --when now "Stop: that file is generated."',
        'beadloom tell bl-4f2 --to all "The tests of the API are in test/http."',
        'git diff main | beadloom tell bl-4f2 -',
        'beadloom tell bl-4f2',
      ],
    })
    .addOption(projectOption())
    .option('--to <session>', 'a working session, or "all" of them (default: the one that has worked longest)')
    .addOption(new Option('--when <when>', 'when it counts (default: "step")').choices(messageTimes))
    .action(
      context.run(async ({ api, json, args, options }) => {
        const given = String(args[0])
        const how = (project: string) => `beadloom tell ${given} --project ${project} …`
        const pathOf = async () => {
          const id = await chooseExecution(api, given, { named: options['project'], cwd: context.cwd, how })
          return `/api/executions/${segment(id)}/messages`
        }
        if (args[1] === undefined) {
          const page = await api.get<Page<Message>>(await pathOf())
          print(context.terminal, json, page, () => listed(page.items))
          return
        }
        const text = args[1] === '-' ? await textOf(process.stdin) : String(args[1])
        if (!isVisible(text)) throw new CliError('there is nothing to say: give a text', exitCode.usage)
        if (text.length > MOST_OF_A_MESSAGE)
          throw new CliError(
            `the text has ${text.length} characters, and a message at most ${MOST_OF_A_MESSAGE}: say less, or name a file`,
            exitCode.usage,
          )
        const { when, to } = options
        const body = { text, ...(when !== undefined && { when }), ...(to !== undefined && { to: String(to) }) }
        const message = await api.send<Message>('POST', await pathOf(), body)
        print(context.terminal, json, message, () => stored(message))
      }),
    )
}

const timeWords: Record<MessageTime, string> = {
  step: 'with its next request to its model',
  turn: 'once it has ended its turn',
  now: 'right away, and stops what it is doing',
}

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'medium' })
const timeText = (at: number): string => clock.format(at)

const listed = (messages: readonly Message[]): string =>
  messages.length === 0
    ? 'Nobody has said anything to its agent.'
    : messages
        .map((one) => {
          const by = one.by === '' ? 'with the access token' : one.by
          const head = `${timeText(one.at)}  ${by} (${messageStateText(one, timeText)})`
          return `${oneLiner(head)}\n${plainText(one.text).replace(/^/gm, '    ')}`
        })
        .join('\n')

const stored = ({ when, execution }: Message): string =>
  `Stored for ${execution}: its agent gets it ${timeWords[when]}.`
