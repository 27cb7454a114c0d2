import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { Paint } from '../terminal/paint.ts'
import { cutText, oneLiner, textWidth } from '../terminal/terminal-text.ts'
import { activityLine, endedFacts, nameWidths, rowLine, runningFacts } from './board-rows.ts'

/** The content of the live board at one moment. `now` is the server's clock, milliseconds UTC. */
export type BoardState = {
  link: 'connecting' | 'live' | 'lost'
  status: ServerStatus | null
  /** Any state; the newest of each bead at least. */
  executions: readonly ExecutionView[]
  /** The project that is shown; null: all. */
  only: string | null
  now: number
}

export type Sections = {
  running: ExecutionView[]
  queued: { execution: ExecutionView; why: string }[]
  ended: ExecutionView[]
}

const ENDED_SHOWN = 50

/** Sorts running ones with the longest first, queued ones in their order, ended ones with the last first. */
export function sectionsOf({ executions, status }: BoardState): Sections {
  const places = new Map(status?.queue.map((one) => [one.execution, one] as const))
  const place = (id: string): number => places.get(id)?.position ?? Infinity
  return {
    running: executions
      .filter((one) => one.state === 'RUNNING' && one.waitsForPlace === undefined)
      .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (a.id < b.id ? -1 : 1)),
    queued: executions
      .filter(({ state, waitsForPlace }) => state === 'QUEUED' || waitsForPlace !== undefined)
      .sort((a, b) => (place(a.id) === place(b.id) ? a.queuedAt - b.queuedAt : place(a.id) - place(b.id)))
      .map((execution) => ({
        execution,
        why: execution.waitsForPlace ?? places.get(execution.id)?.reason?.text ?? 'next',
      })),
    ended: executions
      .filter(({ state }) => isTerminal(state))
      .sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0) || (a.id < b.id ? -1 : 1))
      .slice(0, ENDED_SHOWN),
  }
}

/** The screen: at most `rows` lines of at most `columns` columns each. */
export function boardLines(state: BoardState, size: { columns: number; rows: number }, paint: Paint): string[] {
  const columns = Math.max(1, size.columns)
  const head = headLines(state, columns, paint)
  const foot = paint.dim(cutText('q quits; everything keeps running', columns))
  const room = size.rows - head.length - 1
  if (room < 2) return [...head, foot].slice(0, Math.max(0, size.rows))
  const body = state.status === null ? [] : bodyLines(state, { columns, rows: room }, paint)
  return [...head, ...body, foot]
}

function headLines({ link, status, only, now }: BoardState, columns: number, paint: Paint): string[] {
  const time = new Date(now).toLocaleTimeString('en-GB', { hour12: false })
  const name = `Beadloom${only === null ? '' : ` ${oneLiner(only)}`}`
  const slots = status === null ? '' : `${slotBar(status)} ${status.slots.used} of ${status.slots.total} slots`
  const left = cutText([name, slots].filter((part) => part !== '').join('  '), columns)
  const gap = columns - textWidth(left) - textWidth(time)
  const first = gap >= 2 ? `${paint.bold(left)}${' '.repeat(gap)}${paint.dim(time)}` : paint.bold(left)
  const warnings = [
    ...(link === 'lost' ? ['Lost the connection to the server; reconnecting. This is the last known state.'] : []),
    ...(link === 'connecting' && status === null ? ['Connecting …'] : []),
    ...(status === null || status.docker.ok ? [] : [`Docker: ${oneLiner(status.docker.text)}`]),
    ...(status === null || status.model.ok ? [] : [`Model: ${oneLiner(status.model.text)}`]),
    ...(status === null || status.disk.ok ? [] : ['Disk: less than 2 GiB is free, nothing new starts']),
  ]
  return [first, ...warnings.map((text) => paint.yellow(cutText(`! ${text}`, columns)))]
}

const MOST_BOXES = 16

const slotBar = ({ slots: { used, total } }: ServerStatus): string =>
  total > MOST_BOXES ? '' : `${'■'.repeat(Math.min(used, total))}${'□'.repeat(Math.max(0, total - used))}`

/** Gives space to running executions first, then to the queue, then to ended ones; each says how many do not fit. */
function bodyLines(state: BoardState, size: { columns: number; rows: number }, paint: Paint): string[] {
  const { running, queued, ended } = sectionsOf(state)
  const widths = nameWidths(
    [...running, ...queued.map(({ execution }) => execution), ...ended],
    state.only,
    size.columns,
  )
  const row = (one: ExecutionView, facts: string, text: string): string =>
    rowLine(one, { facts, text, only: state.only }, widths, size.columns, paint)
  const blocks = [
    {
      title: 'RUNNING',
      none: 'nothing is running',
      items: running.map((one) => [
        row(one, runningFacts(one, state.now), one.beadTitle),
        activityLine(one, state.now, size.columns, paint),
      ]),
    },
    {
      title: 'QUEUED',
      none: '',
      items: queued.map(({ execution, why }) => [row(execution, oneLiner(why), execution.beadTitle)]),
    },
    {
      title: 'ENDED',
      none: '',
      items: ended.map((one) => [row(one, endedFacts(one, state.now), one.detail || one.beadTitle)]),
    },
  ].filter(({ items, none }) => items.length > 0 || none !== '')
  return fit(blocks, size, paint)
}

type Block = { title: string; none: string; items: string[][] }

/** Lines reserved for every later block: its title, one item, and the number of further ones. */
const LEAST_BLOCK_ROWS = 3

/** Fits blocks from top to bottom. An item with two lines shows one if not all items fit. */
function fit(blocks: readonly Block[], { columns, rows }: { columns: number; rows: number }, paint: Paint): string[] {
  const lines: string[] = []
  blocks.forEach(({ title, none, items }, at) => {
    const left = rows - lines.length
    const later = (blocks.length - 1 - at) * LEAST_BLOCK_ROWS
    const room = Math.max(Math.min(left, LEAST_BLOCK_ROWS), left - later) - 1
    if (room < 1) return
    lines.push(paint.dim(cutText(`${title}${items.length > 0 ? ` ${items.length}` : ''}`, columns)))
    if (items.length === 0) return void lines.push(paint.dim(cutText(`  ${none}`, columns)))
    const inFull = items.flat()
    const shown = inFull.length <= room ? inFull : items.map(([first = '']) => first)
    if (shown.length <= room) return void lines.push(...shown)
    lines.push(...shown.slice(0, room - 1))
    lines.push(paint.dim(cutText(`  … and ${items.length - (room - 1)} more`, columns)))
  })
  return lines
}
