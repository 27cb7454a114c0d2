import type { Session } from '@beadloom/core/execution/session.ts'
import { useEffect } from 'react'
import type { RefObject } from 'react'
import { endRowText } from './end-row.ts'
import type { LogView } from './view/log-view.ts'
import type { LogFigures } from './use-open-log.ts'
import { useNow, useServerNow } from '../../feed/feed-context.tsx'
import type { LogFeed } from '../../feed/log-feed.ts'

/** Keeps up to date what stands below the last line. */
export function useEndRow(
  view: RefObject<LogView | null>,
  session: Session,
  { complete, lines, grewAt, partial }: LogFigures,
  log: LogFeed | null,
): void {
  const serverNow = useServerNow()
  const sinceHere = useNow() - grewAt
  // Who has just opened the page has not seen the silence; when the last line came is known even so.
  const cameAt = partial ? null : (log?.marks.timeOf(lines - 1) ?? null)
  const silentMs = cameAt === null ? (grewAt > 0 ? sinceHere : 0) : serverNow - cameAt
  const text = endRowText({ session, complete, lines, exit: log?.exit ?? null, silentMs })
  useEffect(() => view.current?.setEnd(text), [view, log, text])
}
