import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import { now } from './fixture-data.ts'

const ESC = '\x1b'
const PERIOD = 300
const TRACE = 100
const LONG = 24
const SHORT = 6
const BLOCK = 512
/** Lines of a thousand that a program prints in blue without saying so again: they begin in one block and end in the next. */
const BLUE = { first: 500, end: 540, of: 2 * BLOCK }
const LINES_A_SECOND = 8
const BEGUN = now - 4 * 60_000

const blueAt = (n: number): boolean => n % BLUE.of >= BLUE.first && n % BLUE.of < BLUE.end
const traceAt = (n: number): number | null => {
  const at = (n % PERIOD) - TRACE
  return at >= 0 && at <= LONG ? at : at >= TRACE && at <= TRACE + SHORT ? at - TRACE : null
}

/** Lines that belong together: a stack trace, a colour that continues; null for all others. */
export function groupedLine(n: number): string | null {
  const frame = traceAt(n)
  if (frame === 0) return `${ESC}[31mTypeError: Cannot read properties of undefined (reading 'offset')${ESC}[39m`
  if (frame !== null)
    return `    at parse${frame} (${ESC}[2mfile:///workspace/src/date/part-${frame}.ts:${n}:7${ESC}[22m)`
  if (!blueAt(n)) return null
  const at = n % BLUE.of
  const text = `${at - BLUE.first + 1} of ${BLUE.end - BLUE.first} lines that are blue since the first of them`
  return at === BLUE.first ? `${ESC}[34m${text}` : at === BLUE.end - 1 ? `${text}${ESC}[39m` : text
}

/** The beginning of a block's first line, as the server says it. */
export const styleOf = (block: number): string => (blueAt(block * BLOCK) && traceAt(block * BLOCK) === null ? '34' : '')

/** Eight lines came in each second; traces, and what looks like a warning, through standard error. */
export function marksOf(from: number, to: number): LogMarks {
  const lines = Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n)
  const timeOf = (n: number) => Math.floor(BEGUN + n * (1000 / LINES_A_SECOND))
  const stderr: [number, number][] = []
  for (const n of lines) {
    if (traceAt(n) === null && n % 13 !== 0) continue
    const last = stderr.at(-1)
    if (last && last[1] === n - 1) last[1] = n
    else stderr.push([n, n])
  }
  return { from, to, times: lines.map((n) => [n, timeOf(n)]), stderr }
}
