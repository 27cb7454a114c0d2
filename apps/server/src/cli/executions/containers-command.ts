import type { Command } from 'commander'
import type { KeptContainer, SavedContainer } from '@beadloom/core/api/executions/container-api.ts'
import { systemClock } from '../../process/clock.ts'
import { segment } from '../api-client.ts'
import type { CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { print, table, type Cell } from '../terminal/output.ts'
import { paintOf, type Paint } from '../terminal/paint.ts'
import { oneLiner, wrapText } from '../terminal/terminal-text.ts'
import { durationText } from '@beadloom/core/text/duration.ts'

/** `containers`, `containers save NAME`, `containers discard NAME`. */
export function addContainersCommands(program: Command, context: CommandContext): void {
  const { terminal } = context
  const containers = context
    .group(program, {
      usage: 'containers',
      description: 'list containers that are kept because they may hold unsaved work',
      more: 'A container whose work could not be saved (the disk was full, Docker went away) is stopped and kept, and saving is retried. It is removed when its work is saved, or when you discard it.',
      examples: ['beadloom containers', 'beadloom containers save NAME', 'beadloom containers discard NAME --yes'],
    })
    .action(
      context.run(async ({ api, json }) => {
        const kept = await api.get<{ items: KeptContainer[] }>('/api/containers')
        print(terminal, json, kept, () =>
          keptLines(kept.items, systemClock.now(), terminal.columns, paintOf(terminal.colour)),
        )
      }),
    )
  context
    .command(containers, {
      usage: 'save',
      description: 'try now to save the work in a kept container',
      examples: ['beadloom containers save beadloom-ex-1a2b3c4d5e-work'],
    })
    .argument('<name>', 'name of the container, as "beadloom containers" shows it')
    .action(
      context.run(async ({ api, json, args }) => {
        const answer = await api.send<SavedContainer>('POST', `${path(String(args[0]))}/save`)
        print(terminal, json, answer, () =>
          answer.saved === null
            ? 'There was nothing left to save; the container is removed.'
            : `Saved on ${answer.saved}`,
        )
      }),
    )
  context
    .command(containers, {
      usage: 'discard',
      description: 'remove a kept container with everything in it',
      examples: ['beadloom containers discard beadloom-ex-1a2b3c4d5e-work --yes'],
    })
    .argument('<name>', 'name of the container, as "beadloom containers" shows it')
    .option('--yes', 'really remove it: its unsaved work is lost')
    .action(
      context.run(async ({ api, json, args, options }) => {
        if (options['yes'] !== true)
          throw new CliError(
            `${args[0] ?? ''} may hold unsaved work, which would be lost. Add --yes to discard it`,
            exitCode.usage,
          )
        await api.send('DELETE', path(String(args[0])))
        print(terminal, json, { discarded: args[0] }, () => `Discarded ${args[0]}`)
      }),
    )
}

const path = (name: string): string => `/api/containers/${segment(name)}`

export function keptLines(kept: readonly KeptContainer[], now: number, columns: number, paint: Paint): string {
  if (kept.length === 0) return 'No container is kept: all work is saved.'
  const head: Cell[] = ['CONTAINER', 'BEAD', 'SIZE', 'KEPT FOR'].map((text) => ({ text, paint: paint.dim }))
  const rows = kept.map(({ name, bead, bytes, since }): Cell[] => [
    name,
    bead || '–',
    bytes === null ? '–' : `${Math.ceil(bytes / 1e6)} MB`,
    durationText(Math.max(0, now - since)),
  ])
  const why = kept.map(({ name, why: text }) => wrapText(`${name}: ${oneLiner(text)}`, columns).join('\n'))
  return [table([head, ...rows], columns), ...why].join('\n\n')
}
