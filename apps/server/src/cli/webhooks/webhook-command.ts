import type { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { writeHelp } from '../terminal/help.ts'
import { print, table } from '../terminal/output.ts'

type Tested = { items: { name: string; ok: boolean; text: string }[] }

/** `webhook test`: whether those that are told what happens can be reached. */
export function addWebhookCommand(program: Command, context: CommandContext): void {
  const webhook = writeHelp(program.command('webhook').helpCommand(false), {
    description: 'try out the webhooks of config.json',
    examples: ['beadloom webhook test'],
  })
  context
    .command(webhook, {
      usage: 'test',
      description: 'send a test notice to every webhook',
      more: 'Each gets one notice now, beside its queue. A running server has the webhooks with which it was started.',
      examples: ['beadloom webhook test', 'beadloom webhook test --json'],
    })
    .action(
      context.run(async ({ api, json }) => {
        const answer = await api.send<Tested>('POST', '/api/webhooks/test')
        print(context.terminal, json, answer, () =>
          answer.items.length === 0
            ? 'There are no webhooks: "webhooks" in config.json names them, and a restart reads it.'
            : table(answer.items.map(({ name, ok, text }) => [name, ok ? text : `failed: ${text}`])),
        )
        if (answer.items.some(({ ok }) => !ok)) throw new CliError('not every webhook was reached', exitCode.failed)
      }),
    )
}
