import type { Session } from '@beadloom/core/records/session.ts'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { LogView } from './view/log-view.ts'
import type { LogViewOptions, LogViewState } from './view/log-view.ts'
import { throttled } from './view/throttled.ts'
import { useFeed, useOnReturn } from '../../feed/feed-context.tsx'
import type { LogFeed } from '../../feed/log-feed.ts'

/** A log's figures for the bar and the notices. */
export type LogFigures = { lines: number; phase: LogFeed['phase']; complete: boolean; partial: boolean; grewAt: number }
const atFirst: LogFigures = { lines: 0, phase: { is: 'loading' }, complete: false, partial: false, grewAt: 0 }
/** While scrolling, the place changes in every frame; the parts around the log follow less often. */
const MOVED_MS = 100
/** A growing log has new figures in every frame, and nobody reads that fast. */
const GROWN_MS = 250

export type OpenLog = {
  log: LogFeed | null
  view: RefObject<LogView | null>
  figures: LogFigures
  place: LogViewState
}

const firstPlace: LogViewState = { following: true, unseen: 0, firstLine: 0, lastLine: 0, selected: null }

/**
 * The log of one session in its own view, for as long as the host is mounted. New lines cause no rendering in React.
 */
export function useOpenLog(
  session: Session,
  host: RefObject<HTMLDivElement | null>,
  events: Pick<LogViewOptions, 'onSelect' | 'onOpen' | 'onCopy'>,
): OpenLog {
  const feed = useFeed()
  const view = useRef<LogView | null>(null)
  const latest = useRef(events)
  const begun = useRef(session.logLines > 0)
  const [log, setLog] = useState<LogFeed | null>(null)
  const [place, setPlace] = useState(firstPlace)
  const [figures, setFigures] = useState(atFirst)
  useEffect(() => {
    latest.current = events
  })

  useEffect(() => {
    if (!host.current) return
    const source = feed.openLog(session.id, begun.current)
    const show = () => {
      setPlace(seen)
      setFigures((old) => figuresOf(source, old))
    }
    const [moved, grown] = [throttled(MOVED_MS, show), throttled(GROWN_MS, show)]
    const pane = new LogView(host.current, source, {
      label: `Log of session ${session.id}`,
      ofAgent: session.kind === 'work',
      onState: (state) => {
        const passive = state.following && seen.following
        seen = state
        if (passive) grown.call()
        else moved.call()
      },
      onSelect: (lines) => latest.current.onSelect(lines),
      onOpen: (line) => latest.current.onOpen(line),
      onCopy: (lines) => latest.current.onCopy(lines),
    })
    let seen = firstPlace
    let stage = ''
    const stop = source.onChange(() => {
      pane.changed()
      const now = `${source.phase.is} ${source.complete} ${source.lines > 0 || source.partial !== null}`
      if (now === stage) grown.call()
      else moved.now() // the notice that there are no lines must not cover lines
      stage = now
    })
    view.current = pane
    setLog(source)
    show()
    return () => {
      stop()
      moved.stop()
      grown.stop()
      pane.destroy()
      source.close()
      view.current = null
      setLog(null)
    }
  }, [feed, host, session.id, session.kind])

  useOnReturn(() => {
    if (log?.phase.is === 'failed') void log.start()
    else view.current?.refresh() // requests the lines again that could not be fetched
  })

  return { log, view, figures, place }
}

function figuresOf(source: LogFeed, old: LogFigures): LogFigures {
  const { lines, phase, complete, grewAt } = source
  const partial = source.partial !== null
  const same =
    old.lines === lines &&
    old.phase === phase &&
    old.complete === complete &&
    old.partial === partial &&
    old.grewAt === grewAt
  return same ? old : { lines, phase, complete, partial, grewAt }
}
