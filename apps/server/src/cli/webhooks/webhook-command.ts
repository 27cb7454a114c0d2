import { Option, type Command } from 'commander'
import {
  addressProblem,
  webhookEvents,
  webhookFormats,
  type SaveWebhook,
  type WebhooksView,
  type WebhookTest,
  type WebhookView,
} from '@beadloom/core/api/settings/webhook-api.ts'
import { segment, type ApiClient } from '../api-client.ts'
import type { CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { writeHelp } from '../terminal/help.ts'
import { print, table } from '../terminal/output.ts'
import { readHidden } from '../terminal/read-hidden.ts'

type Flags = { format?: SaveWebhook['format']; event?: SaveWebhook['events']; project?: string[] }

const HIDDEN =
  'It is read from standard input; on a terminal it is not shown. It is never an argument, which every user of this machine could read.'

/** `webhook list|add|edit|secret|remove|test`: the addresses that are told what happens. */
export function addWebhookCommand(program: Command, context: CommandContext): void {
  const webhook = writeHelp(program.command('webhook').helpCommand(false), {
    description: 'manage webhooks, which report questions, failures, merges and waits at a limit',
    examples: [
      'beadloom webhook list',
      'beadloom webhook add phone --format ntfy --event needs_you',
      'beadloom webhook test',
    ],
  })
  for (const add of [addList, addAdd, addEdit, addSecret, addRemove, addTest]) add(webhook, context)
}

const one = { name: 'name of the webhook' }

function addList(webhook: Command, context: CommandContext): void {
  context
    .command(webhook, {
      usage: 'list',
      description: 'show the webhooks and how the last notice went; never their addresses or secrets',
      examples: ['beadloom webhook list', 'beadloom webhook list --json'],
    })
    .action(
      context.run(async ({ api, json }) => {
        const answer = await api.get<WebhooksView>('/api/webhooks')
        print(context.terminal, json, answer, () => listed(answer))
      }),
    )
}

function addAdd(webhook: Command, context: CommandContext): void {
  withFlags(
    context.command(webhook, {
      usage: 'add <name>',
      description: 'add a webhook',
      more: `Its address is as good as a password. ${HIDDEN} Without --event it reports every event, and without --project it reports on all projects.`,
      arguments: one,
      examples: [
        'beadloom webhook add ops',
        'pass show ntfy | beadloom webhook add phone --format ntfy --event needs_you --event failed',
      ],
    }),
  ).action(
    context.run(async ({ api, json, args, options }) => {
      const name = String(args[0])
      const known = (await api.get<WebhooksView>('/api/webhooks')).items.some((each) => each.name === name)
      if (known) throw new CliError(`there is a webhook ${name} already: beadloom webhook edit ${name}`, exitCode.usage)
      const answer = await save(api, name, { url: await readAddress(), ...wishOf(options) })
      print(context.terminal, json, answer, () => `Added ${name}. Try it: beadloom webhook test ${name}`)
    }),
  )
}

function addEdit(webhook: Command, context: CommandContext): void {
  withFlags(
    context.command(webhook, {
      usage: 'edit <name>',
      description: 'change a webhook; options that you leave out change nothing',
      more: `--address reads a new one. ${HIDDEN}`,
      arguments: one,
      examples: ['beadloom webhook edit phone --event needs_you', 'beadloom webhook edit ops --address'],
    }),
  )
    .option('--address', 'replace the address with the one on standard input')
    .option('--all-projects', 'report on all projects')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const name = String(args[0])
        const wish = {
          ...(options['allProjects'] === true && { projects: null }),
          ...wishOf(options),
          ...(options['address'] === true && { url: await readAddress() }),
        }
        if (Object.keys(wish).length === 0)
          throw new CliError('nothing to change: name at least one option, for example --event', exitCode.usage)
        const answer = await save(api, name, wish)
        print(context.terminal, json, answer, () => `Changed ${name}.`)
      }),
    )
}

function addSecret(webhook: Command, context: CommandContext): void {
  context
    .command(webhook, {
      usage: 'secret <name>',
      description: 'set the secret that signs its notices, or remove it',
      more: `At least 16 characters, for the format json. ${HIDDEN} The receiver needs the same one.`,
      arguments: one,
      examples: ['openssl rand -hex 32 | beadloom webhook secret ops', 'beadloom webhook secret ops --remove'],
    })
    .option('--remove', 'send unsigned notices')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const name = String(args[0])
        const isGone = options['remove'] === true
        const secret = isGone ? null : await readHidden(process.stdin, `Secret of ${name}: `)
        const answer = await save(api, name, { secret })
        print(context.terminal, json, answer, () => `Notices for ${name} are ${isGone ? 'unsigned' : 'signed'} now.`)
      }),
    )
}

function addRemove(webhook: Command, context: CommandContext): void {
  context
    .command(webhook, {
      usage: 'remove <name>',
      description: 'remove a webhook and its unsent notices',
      arguments: one,
      examples: ['beadloom webhook remove phone'],
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const name = String(args[0])
        const answer = await api.send<WebhooksView>('DELETE', pathOf(name))
        print(context.terminal, json, answer, () => `Removed ${name}.`)
      }),
    )
}

function addTest(webhook: Command, context: CommandContext): void {
  context
    .command(webhook, {
      usage: 'test [name]',
      description: 'send a test notice to every webhook, or to one',
      more: 'Each gets one notice now, outside its queue.',
      arguments: { name: 'name of the webhook (default: all of them)' },
      examples: ['beadloom webhook test', 'beadloom webhook test phone --json'],
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const path = args[0] === undefined ? '/api/webhooks/test' : `${pathOf(String(args[0]))}/test`
        const answer = await api.send<{ items: WebhookTest[] }>('POST', path)
        print(context.terminal, json, answer, () =>
          answer.items.length === 0
            ? 'There are no webhooks: beadloom webhook add NAME'
            : table(answer.items.map(({ name, ok, text }) => [name, ok ? text : `failed: ${text}`])),
        )
        if (answer.items.some(({ ok }) => !ok)) throw new CliError('not every webhook was reached', exitCode.failed)
      }),
    )
}

const withFlags = (command: Command): Command =>
  command
    .addOption(new Option('--format <format>', 'the form of its notices (default: json)').choices(webhookFormats))
    .addOption(new Option('--event <event...>', 'an event to report; can be repeated').choices(webhookEvents))
    .option('--project <id...>', 'a project to report on; can be repeated')

function wishOf(options: Record<string, unknown>): SaveWebhook {
  const { format, event, project } = options as Flags
  return { ...(format && { format }), ...(event && { events: event }), ...(project && { projects: project }) }
}

async function readAddress(): Promise<string> {
  const url = await readHidden(process.stdin, 'Address: ')
  const problem = url === '' ? 'is missing on standard input' : addressProblem(url)
  if (problem !== null) throw new CliError(`the address ${problem}. Nothing was changed.`, exitCode.usage)
  return url
}

const save = (api: ApiClient, name: string, wish: SaveWebhook) => api.send<WebhooksView>('PUT', pathOf(name), wish)

const pathOf = (name: string): string => `/api/webhooks/${segment(name)}`

function listed({ items, problem }: WebhooksView): string {
  const rows = items.map((hook) => [
    hook.name,
    hook.origin,
    hook.signed ? `${hook.format}, signed` : hook.format,
    hook.events.length === webhookEvents.length ? 'everything' : hook.events.join(', '),
    hook.projects === null ? 'all projects' : hook.projects.join(', '),
    stateOf(hook),
  ])
  const list =
    rows.length === 0
      ? 'There are no webhooks: beadloom webhook add NAME'
      : table([['NAME', 'ADDRESS', 'FORMAT', 'EVENTS', 'PROJECTS', 'LAST NOTICE'], ...rows])
  return problem === null ? list : `${list}\n${problem}`
}

const time = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** "arrived 2026-11-27 08:00:00 UTC"; "failed …: it answered 503; 2 waiting, next try …". */
function stateOf({ lastAt, problem, waiting, nextAt, next, givenUp }: WebhookView): string {
  const lost = givenUp === 0 ? '' : `; gave up on ${givenUp}`
  if (lastAt === null) return `none yet${lost}`
  if (problem === '') return `arrived ${time(lastAt)}${lost}`
  const about = next === null ? '' : ` (${next.event} of ${next.bead})`
  const again = nextAt === null ? '' : `; ${waiting} waiting, next try ${time(nextAt)}`
  return `failed ${time(lastAt)}${about}: ${problem}${again}${lost}`
}
