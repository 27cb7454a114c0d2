import type { Command } from 'commander'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { systemClock } from '../../process/clock.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { NewsTeller, newsLine } from './board-news.ts'
import { followBoard } from './board-socket.ts'
import { drawBoard } from './board-screen.ts'
import type { CommandContext } from '../context.ts'
import { clientExits, exitCode } from '../exit-code.ts'
import { LiveBoard } from './live-board.ts'
import { jsonLine, type Terminal } from '../terminal/output.ts'
import { paintOf } from '../terminal/paint.ts'

/** Ends with an error for scripts, which would otherwise wait for a server that is gone. */
const GIVE_UP_AFTER_MS = 60_000

export function addWatchCommand(program: Command, context: CommandContext): void {
  context
    .command(program, {
      usage: 'watch',
      description: 'show the board live in this terminal: running, queued and ended executions',
      more: 'It changes nothing: q or Ctrl-C quits, and everything keeps running. If the server restarts, it reconnects.\nIn a pipe it prints one line per change; with --json each is {"type": "execution", "at", "execution", "project", "bead", "state", …} or {"type": "server", "at", "slots", "queued", …}.',
      stream: true,
      examples: [
        'beadloom watch',
        'beadloom watch -p library',
        'beadloom watch --json | jq -c \'select(.state == "BLOCKED") | [.bead, .detail]\'',
      ],
      exits: [...clientExits, 'interrupted'],
    })
    .option('-p, --project <id>', 'only this project (default: all)')
    .action(
      context.run(async ({ api, json, options }) => {
        const only = typeof options['project'] === 'string' ? options['project'] : null
        if (only !== null) await api.get<ProjectView>(`/api/projects/${segment(only)}`)
        const still = !context.terminal.watched || context.env['TERM'] === 'dumb'
        if (json || still) await printNews(api, only, json, context.terminal)
        else await drawBoard(api, only, context.terminal)
      }),
    )
}

async function printNews(api: ApiClient, only: string | null, json: boolean, terminal: Terminal): Promise<void> {
  const stop = new AbortController()
  const board = new LiveBoard(only)
  const paint = paintOf(terminal.colour)
  const teller = new NewsTeller()
  let first = true
  let lost = false
  let skew = 0
  const interrupted = (): void => {
    process.exitCode = exitCode.interrupted
    stop.abort()
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupted)
  const changed = (): void => {
    if (!board.known) return // half a board would look like a whole one
    for (const news of teller.news(board.executions(), board.status, systemClock.now() + skew, first))
      terminal.write(json ? jsonLine(news) : `${newsLine(news, terminal.columns, paint)}\n`)
    first = false
  }
  const link = (is: 'live' | 'lost'): void => {
    if (is === 'lost' && !lost) terminal.note('(lost the connection to the server; reconnecting)')
    if (is === 'live' && lost) terminal.note('(reconnected)')
    lost = is === 'lost'
  }
  const listener = { changed, link, skew: (ms: number) => (skew = ms) }
  await followBoard(api, board, listener, { clock: systemClock, stop: stop.signal, giveUpAfterMs: GIVE_UP_AFTER_MS })
}
