import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { LogView, LogViewState } from './log-view.ts'
import { Minimap } from './minimap.ts'
import type { LogErrors } from '../find/use-log-errors.ts'
import type { LogFind } from '../find/use-log-find.ts'

type Seen = LogViewState & { lines: number; find: LogFind; errors: LogErrors }

/** The strip beside the log. It is drawn when what it shows has changed, not with the log. */
export function useMinimap(host: RefObject<HTMLDivElement | null>, view: RefObject<LogView | null>, seen: Seen): void {
  const map = useRef<Minimap | null>(null)
  useEffect(() => {
    const body = host.current?.parentElement
    if (!body) return
    const made = new Minimap(body, (line) => view.current?.goTo(line))
    map.current = made
    return () => {
      made.destroy()
      map.current = null
    }
  }, [host, view])
  useEffect(() => {
    const hits = seen.find.query.text === '' ? null : seen.find.hits
    const frame = requestAnimationFrame(() =>
      map.current?.draw({
        lines: seen.lines,
        first: seen.firstLine,
        last: seen.lastLine,
        hits,
        errors: seen.errors.hits,
      }),
    )
    return () => cancelAnimationFrame(frame)
  })
}
