import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { systemClock } from '../../process/clock.ts'
import type { ApiClient } from '../api-client.ts'
import { exitCode } from '../exit-code.ts'
import type { Terminal } from '../terminal/output.ts'
import { paintOf } from '../terminal/paint.ts'
import { Screen } from '../terminal/screen.ts'
import { followBoard } from './board-socket.ts'
import { boardLines, type BoardState } from './board-view.ts'
import { LiveBoard } from './live-board.ts'

/** A board has only the newest execution of each bead; a few more from the API fill the list of ended ones. */
const ENDED_ASKED = 50
/** The clocks of running executions advance even when nothing happens. */
const TICK_MS = 1_000
/** Nobody sees more frames a second than this. */
const FRAME_MS = 100

/** Draws until the person quits, also across restarts of the server. */
export async function drawBoard(api: ApiClient, only: string | null, terminal: Terminal): Promise<void> {
  const stop = new AbortController()
  const screen = new Screen(terminal)
  const board = new LiveBoard(only)
  const paint = paintOf(terminal.colour)
  const before = await endedBefore(api, only)
  let link: BoardState['link'] = 'connecting'
  let skew = 0
  let drawing: NodeJS.Timeout | null = null
  const draw = (): void => {
    drawing = null
    if (stop.signal.aborted) return
    const { columns, rows } = sizeOf(terminal)
    const executions = withBefore(board.executions(), before)
    const state = { link, status: board.status, executions, only, now: systemClock.now() + skew }
    screen.draw(boardLines(state, { columns, rows }, paint), { columns, rows })
  }
  const changed = (): void => {
    drawing ??= setTimeout(draw, FRAME_MS)
  }
  const leave = onLeaving(() => stop.abort())
  const atExit = (): void => screen.close() // always restore the terminal on exit
  process.on('exit', atExit)
  const tick = setInterval(draw, TICK_MS)
  process.stdout.on('resize', draw)
  try {
    await followBoard(
      api,
      board,
      {
        changed,
        skew: (ms) => (skew = ms),
        link: (is) => {
          link = is
          changed()
        },
      },
      { clock: systemClock, stop: stop.signal, giveUpAfterMs: Number.POSITIVE_INFINITY },
    )
  } finally {
    clearInterval(tick)
    if (drawing) clearTimeout(drawing)
    process.stdout.off('resize', draw)
    screen.close()
    process.off('exit', atExit)
    leave.done()
  }
  if (leave.interrupted()) process.exitCode = exitCode.interrupted
}

/** A terminal of unknown size, as on a serial line, counts as the smallest usual one. */
const sizeOf = ({ columns, rows }: Terminal): { columns: number; rows: number } => ({
  columns: Number.isFinite(columns) ? columns : 80,
  rows: Number.isFinite(rows) ? rows : 24,
})

/** `q` and Ctrl-C, which arrives as a character in raw mode; and the usual signals. */
function onLeaving(stop: () => void): { done: () => void; interrupted: () => boolean } {
  let interrupted = false
  const signal = (): void => {
    interrupted = true
    stop()
  }
  const { stdin } = process
  const key = (bytes: Buffer): void => {
    const text = bytes.toString()
    if (text.includes('\x03')) signal()
    else if (text === 'q' || text === 'Q' || text === '\x04') stop()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of signals) process.on(name, signal)
  if (stdin.isTTY) {
    stdin.setRawMode(true)
    stdin.on('data', key)
  }
  return {
    interrupted: () => interrupted,
    done() {
      for (const name of signals) process.off(name, signal)
      if (!stdin.isTTY) return
      stdin.off('data', key)
      stdin.setRawMode(false)
      stdin.pause()
    },
  }
}

async function endedBefore(api: ApiClient, only: string | null): Promise<ExecutionView[]> {
  const query = new URLSearchParams({ limit: String(ENDED_ASKED), ...(only === null ? {} : { project: only }) })
  const { items } = await api.get<Page<ExecutionView>>(`/api/executions?${query}`)
  return items.filter(({ endedAt }) => endedAt !== null)
}

function withBefore(live: readonly ExecutionView[], before: readonly ExecutionView[]): ExecutionView[] {
  const known = new Set(live.map(({ id }) => id))
  return [...live, ...before.filter(({ id }) => !known.has(id))]
}
