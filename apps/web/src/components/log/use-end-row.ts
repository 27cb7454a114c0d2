import type { Session } from '@beadloom/core/session.ts'
import { useEffect } from 'react'
import type { RefObject } from 'react'
import type { LogView } from './log-view.ts'
import type { LogFigures } from './use-open-log.ts'
import { useNow } from '../../feed/feed-context.tsx'
import type { LogFeed } from '../../feed/log-feed.ts'
import { countText, spanText } from '../../ui/time-text.ts'

const SILENT_MS = 60_000

/** What stands below the last line: how it ended, or that a process that is alive has been silent. */
export function useEndRow(
  view: RefObject<LogView | null>,
  session: Session,
  { complete, lines, grewAt }: LogFigures,
  log: LogFeed | null,
): void {
  const silent = useNow() - grewAt
  const isSilent = !complete && session.state === 'running' && grewAt > 0 && lines > 0 && silent >= SILENT_MS
  const text = complete
    ? endText(session, lines, log?.exit ?? null)
    : isSilent
      ? `… no output for ${spanText(Math.floor(silent / 1000) * 1000)}, the process is alive`
      : null
  useEffect(() => view.current?.setEnd(text), [view, log, text])
}

function endText(session: Session, lines: number, exit: number | null): string {
  const code = exit ?? session.exitCode
  const took = session.endedAt === null ? null : spanText(session.endedAt - session.startedAt)
  return ['■ ended', code === null ? null : `exit ${code}`, took, `${countText(lines)} lines`, 'complete ✓']
    .filter(Boolean)
    .join(' · ')
}
