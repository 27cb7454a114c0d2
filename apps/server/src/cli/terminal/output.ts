import type { ExecutionState } from '@beadloom/core/records/execution.ts'
import { safeJson } from '@beadloom/core/text/safe-json.ts'
import { cutText, oneLiner, plainText, textWidth } from './terminal-text.ts'

/** The output of a command. In a pipe, where nobody looks, `columns` is infinite and `colour` false. */
export type Terminal = {
  /** False if the reader has enough for now: `drained` resolves when it has caught up. */
  write: (text: string) => boolean
  drained: () => Promise<void>
  /** Writes progress and warnings to standard error, apart from the result. */
  note: (text: string) => void
  /** Shows progress in place of the previous progress; null removes it. Absent if standard error is no terminal. */
  progress?: (text: string | null) => void
  columns: number
  /** The lines of the terminal; infinite without a terminal. */
  rows: number
  colour: boolean
  /** Standard output is a terminal, so somebody is looking. */
  watched: boolean
}

type OutStream = NodeJS.WriteStream & { fd: number }

/** The process's own terminal. `NO_COLOR` and `FORCE_COLOR` have their usual meaning. */
export function terminalOf(
  out: OutStream,
  err: NodeJS.WritableStream,
  env: Record<string, string | undefined>,
): Terminal {
  const forced = env['FORCE_COLOR'] !== undefined && !['', '0', 'false'].includes(env['FORCE_COLOR'])
  return {
    write: (text) => out.write(text),
    drained: () =>
      new Promise((resolve) => {
        if (out.writableNeedDrain) out.once('drain', resolve)
        else resolve()
      }),
    note: (text) => void err.write(`${plainText(text)}\n`),
    ...(isTerminal(err) && {
      progress: (text) =>
        void err.write(`\r\u001b[2K${cutText(oneLiner(text ?? ''), (err.columns > 0 ? err.columns : 80) - 1)}`),
    }),
    // Asked each time: a window may be resized while a command prints.
    get columns() {
      return out.isTTY && out.columns > 0 ? out.columns : Infinity
    },
    get rows() {
      return out.isTTY && out.rows > 0 ? out.rows : Infinity
    },
    watched: out.isTTY,
    colour: forced || (out.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb'),
  }
}

const isTerminal = (stream: NodeJS.WritableStream): stream is NodeJS.WriteStream =>
  'isTTY' in stream && stream.isTTY === true

/** Shows progress: in place on a terminal, otherwise as one line for every 10 % of each part. */
export function progressOf({ progress, note }: Pick<Terminal, 'progress' | 'note'>): (text: string | null) => void {
  if (progress) return progress
  let told = ''
  return (text) => {
    const part = (text ?? '').replace(/\d?%.*$/, '')
    if (text !== null && part !== told) note(text)
    told = part
  }
}

/** Prints for people, or one JSON document for programs. */
export function print(terminal: Terminal, json: boolean, value: unknown, forPeople: () => string): void {
  const text = json ? jsonText(value) : forPeople()
  if (text !== '') terminal.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** One value of a stream, on its own line. */
export const jsonLine = (value: unknown): string => `${safeJson(JSON.stringify(value))}\n`

export const jsonText = (value: unknown): string => safeJson(JSON.stringify(value, null, 2))

/** `paint` gets the cleaned text, so that every colour is ours. */
export type Cell = string | { text: string; paint: (text: string) => string }

const GAP = 2

/**
 * Columns as wide as their widest cell. If that exceeds `columns`, the last column of each row is cut: long text
 * belongs there.
 */
export function table(rows: readonly (readonly Cell[])[], columns = Infinity): string {
  const clean = rows.map((row) => row.map((cell) => oneLiner(typeof cell === 'string' ? cell : cell.text)))
  const widths: number[] = []
  for (const row of clean)
    row.forEach((cell, at) => {
      if (at < row.length - 1 || row.length === 1) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell))
    })
  return rows
    .map((row, number) => {
      let used = 0
      const cells = row.map((cell, at) => {
        const whole = clean[number]?.[at] ?? ''
        const last = at === row.length - 1
        const text = last ? cutText(whole, Math.max(1, columns - used)) : whole
        used += (widths[at] ?? 0) + GAP
        const painted = typeof cell === 'string' ? text : cell.paint(text)
        return last ? painted : `${painted}${' '.repeat(Math.max(0, (widths[at] ?? 0) - textWidth(text)) + GAP)}`
      })
      return cells.join('').trimEnd()
    })
    .join('\n')
}

/** The text form of each state, as on the dashboard. */
export const glyph: Record<string, string> = {
  QUEUED: '○',
  RUNNING: '◐',
  COMPLETED: '✓',
  FAILED: '✕',
  BLOCKED: '⏸',
  TIMEOUT: '⏱',
  CANCELLED: '⊘',
} satisfies Record<ExecutionState, string>

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} m ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`
}
