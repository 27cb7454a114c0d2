import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { LogView } from './view/log-view.ts'
import { tickStore } from '../../feed/feed-context.tsx'
import type { LogFeed } from '../../feed/log-feed.ts'
import { announce } from '../../ui/announcer.tsx'
import { wallClockText } from '../../ui/text/time-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

const SAY_MS = 10_000

/** Tells screen readers how much the log has grown, at most every 10 s. */
export function useSayNews(unseen: number, errors: number): void {
  const latest = useRef({ unseen, errors })
  const said = useRef(0)
  useEffect(() => {
    latest.current = { unseen, errors }
  })
  useEffect(() => {
    const timer = setInterval(() => {
      const { unseen: lines, errors: bad } = latest.current
      if (lines > 0 && lines !== said.current)
        announce(`${counted(lines, 'new line')}${bad > 0 ? `, ${counted(bad, 'error')}` : ''}`)
      said.current = lines
    }, SAY_MS)
    return () => clearInterval(timer)
  }, [])
}

/** Marks where the log was when the person left the tab, for when they come back. */
export function useSince(view: RefObject<LogView | null>, log: LogFeed | null): void {
  useEffect(() => {
    if (log === null) return
    const changed = () => {
      if (!document.hidden) return
      const text = `new since ${wallClockText(tickStore.getState().now)}`
      view.current?.setSince(log.lines > 0 ? { line: log.lines, text } : null)
    }
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  }, [log, view])
}
