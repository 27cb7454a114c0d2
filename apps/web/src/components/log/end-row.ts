import type { Session } from '@beadloom/core/execution/session.ts'
import { countText, spanText } from '../../ui/time-text.ts'

const SILENT_MS = 60_000

export type LogEnd = {
  session: Pick<Session, 'state' | 'startedAt' | 'endedAt' | 'exitCode'>
  /** Every line is here, and no more will come. */
  complete: boolean
  lines: number
  exit: number | null
  /** How long ago the last line came. */
  silentMs: number
}

/** What stands below the last line: how it ended, or that a process that is alive has been silent; null for nothing. */
export function endRowText({ session, complete, lines, exit, silentMs }: LogEnd): string | null {
  if (!complete) {
    if (session.state !== 'running' || lines === 0 || silentMs < SILENT_MS) return null
    return `… no output for ${spanText(Math.floor(silentMs / 1000) * 1000)}, the process is alive`
  }
  const code = exit ?? session.exitCode
  const took = session.endedAt === null ? null : spanText(session.endedAt - session.startedAt)
  const count = `${countText(lines)} ${lines === 1 ? 'line' : 'lines'}`
  return ['■ ended', code === null ? null : `exit ${code}`, took, count, 'complete ✓'].filter(Boolean).join(' · ')
}
