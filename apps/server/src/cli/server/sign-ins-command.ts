import { durationText } from '@beadloom/core/text/duration.ts'
import type { SignInsView, SignInView } from '@beadloom/core/api/people/sign-ins-api.ts'
import type { Command } from 'commander'
import { systemClock } from '../../process/clock.ts'
import { segment } from '../api-client.ts'
import type { CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { print, table, type Cell } from '../terminal/output.ts'
import { paintOf, type Paint } from '../terminal/paint.ts'

/** `sign-ins`, `sign-ins end ID`, `sign-ins end --all`. */
export function addSignInCommands(program: Command, context: CommandContext): void {
  const { terminal } = context
  const signIns = context
    .group(program, {
      usage: 'sign-ins',
      description: 'list the browsers that are signed in',
      more: 'Each was signed in by a link with the token, or by your provider. A changed access token ends all of them.',
      examples: ['beadloom sign-ins', 'beadloom sign-ins end 3', 'beadloom sign-ins end --all'],
    })
    .action(
      context.run(async ({ api, json }) => {
        const answer = await api.get<SignInsView>('/api/sign-ins')
        print(terminal, json, answer, () =>
          listed(answer.items, systemClock.now(), terminal.columns, paintOf(terminal.colour)),
        )
      }),
    )
  context
    .command(signIns, {
      usage: 'end',
      description: 'sign a browser out',
      examples: ['beadloom sign-ins end 3', 'beadloom sign-ins end --all'],
    })
    .argument('[id]', 'id of the browser, as "beadloom sign-ins" shows it')
    .option('--all', 'sign all of them out')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const all = options['all'] === true
        if (all === (args[0] !== undefined))
          throw new CliError('name the browser by its id, or all of them with --all', exitCode.usage)
        const ended = all
          ? (await api.get<SignInsView>('/api/sign-ins')).items.map(({ id }) => String(id))
          : [String(args[0])]
        for (const id of ended) await api.send('DELETE', `/api/sign-ins/${segment(id)}`)
        print(terminal, json, { ended }, () =>
          ended.length === 1 ? 'One browser is signed out.' : `${ended.length} browsers are signed out.`,
        )
      }),
    )
}

export function listed(items: readonly SignInView[], now: number, columns: number, paint: Paint): string {
  if (items.length === 0) return 'No browser is signed in.'
  const head: Cell[] = ['ID', 'BROWSER', 'BY', 'SINCE', 'USED', 'ENDS IN'].map((text) => ({ text, paint: paint.dim }))
  const ago = (at: number) => `${durationText(Math.max(0, now - at))} ago`
  const rows = items.map(({ id, browser, by, name, beganAt, usedAt, expiresAt }): Cell[] => [
    String(id),
    browser,
    by === 'token' ? 'access token' : name,
    ago(beganAt),
    ago(usedAt),
    durationText(Math.max(0, expiresAt - now)),
  ])
  return table([head, ...rows], columns)
}
