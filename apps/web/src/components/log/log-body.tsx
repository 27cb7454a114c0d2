import type { Session } from '@beadloom/core/records/session.ts'
import { Suspense, type RefObject } from 'react'
import type { LogFind } from './find/use-log-find.ts'
import { FollowButton } from './follow-button.tsx'
// Not loaded later: digits typed before it arrives would be keys of the page.
import { GoToLine } from './go-to-line.tsx'
import type { Lines } from './lines/line-selection.ts'
import { LogNotice } from './log-notice.tsx'
import css from './log-pane.module.css'
import type { OpenLog } from './use-open-log.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

/** Loaded later: few people need it, and the page's size is limited. */
const selectionBar = lazyPart(async () => (await import('./selection-bar.tsx')).SelectionBar)

type Props = {
  session: Session
  activity: string | null
  open: OpenLog
  /** The element that the view draws into. */
  host: RefObject<HTMLDivElement | null>
  find: LogFind
  unseenErrors: number
  asksLine: boolean
  onAsksLine: (on: boolean) => void
  onLines: (lines: Lines) => void
  /** Shows a whole line. */
  onOpen: (line: number) => void
}

/** The view of a log, and everything that lies over its lines. */
export function LogBody({ session, activity, open, host, find, unseenErrors, ...props }: Props) {
  const { log, view, figures, place } = open
  return (
    <div className={css['body']}>
      <div ref={host} className={css['host']} />
      <LogNotice
        session={session}
        activity={activity}
        {...figures}
        filteredOut={find.filter !== null && find.hits.length === 0 && find.state !== 'searching'}
        onRetry={() => void log?.start()}
      />
      {props.asksLine && (
        <GoToLine
          lines={figures.lines}
          onLine={(n) => props.onLines({ first: n, last: n })}
          onClose={() => {
            props.onAsksLine(false)
            view.current?.focus()
          }}
        />
      )}
      {place.selected && (
        <Suspense fallback={null}>
          <selectionBar.Part
            session={session.id}
            lines={place.selected}
            onOpen={props.onOpen}
            onClear={() => view.current?.choice.clear()}
          />
        </Suspense>
      )}
      {!place.following && figures.lines > 0 && (
        <FollowButton
          unseen={place.unseen}
          errors={unseenErrors}
          live={!figures.complete}
          onFollow={() => view.current?.moves.toEnd()}
        />
      )}
    </div>
  )
}
