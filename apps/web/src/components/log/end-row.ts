import { lasted } from '@beadloom/core/execution/lasted.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { elapsedText, spanText } from '../../ui/text/time-text.ts'
import { useEffect, type RefObject } from 'react'
import type { LogView } from './view/log-view.ts'
import type { LogFigures } from './use-open-log.ts'
import { useNow, useServerNow } from '../../feed/feed-context.tsx'
import type { LogFeed } from '../../feed/log-feed.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

const SILENT_MS = 60_000

export type LogEnd = {
  session: Pick<Session, 'state' | 'startedAt' | 'endedAt' | 'tookMs' | 'exitCode'>
  /** Every line is here; no more will come. */
  complete: boolean
  lines: number
  exit: number | null
  /** Time since the last line, in milliseconds. */
  silentMs: number
}

/** The text below the last line: how the session ended, or how long a running process has been silent; null: none. */
export function endRowText({ session, complete, lines, exit, silentMs }: LogEnd): string | null {
  if (!complete) {
    if (session.state !== 'running' || lines === 0 || silentMs < SILENT_MS) return null
    return `… no output for ${elapsedText(silentMs)}; the process is still running`
  }
  const code = exit ?? session.exitCode
  const ms = lasted(session)
  const took = ms === null ? null : spanText(ms)
  return ['■ ended', code === null ? null : `exit ${code}`, took, counted(lines, 'line'), 'complete ✓']
    .filter(Boolean)
    .join(' · ')
}

/** Keeps the text below the last line up to date. */
export function useEndRow(
  view: RefObject<LogView | null>,
  session: Session,
  { complete, lines, grewAt, partial }: LogFigures,
  log: LogFeed | null,
): void {
  const serverNow = useServerNow()
  const sinceHere = useNow() - grewAt
  // A page just opened has not witnessed the silence, but knows when the last line came.
  const cameAt = partial ? null : (log?.marks.timeOf(lines - 1) ?? null)
  const silentMs = cameAt === null ? (grewAt > 0 ? sinceHere : 0) : serverNow - cameAt
  const text = endRowText({ session, complete, lines, exit: log?.exit ?? null, silentMs })
  useEffect(() => view.current?.setEnd(text), [view, log, text])
}
