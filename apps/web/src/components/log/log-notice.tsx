import { useState } from 'react'
import type { Session } from '@beadloom/core/records/session.ts'
import css from './log-pane.module.css'
import type { LogFeed } from '../../feed/log-feed.ts'
import { useNow, useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { elapsedText, unbroken } from '../../ui/text/time-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

type Props = {
  session: Session
  activity: string | null
  lines: number
  phase: LogFeed['phase']
  complete: boolean
  partial: boolean
  /** No line matches the filter. */
  filteredOut: boolean
  onRetry: () => void
}

/** The reason why there is nothing to read (yet). Shown only over an empty view. */
export function LogNotice({ session, activity, lines, phase, complete, partial, filteredOut, onRetry }: Props) {
  const now = useServerNow()
  if (filteredOut && lines > 0) return <p className={css['notice']}>No lines match.</p>
  if (lines > 0 || partial) return null
  const elapsed = unbroken(elapsedText(now - session.startedAt))
  if (phase.is === 'failed')
    return (
      <div className={css['notice']} role="alert">
        <p>The log could not be loaded: {phase.message}</p>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    )
  if (phase.is === 'expired')
    return (
      <div className={css['notice']}>
        <p>{phase.reason}</p>
        {session.logLines > 0 && (
          <p>
            It had {counted(session.logLines, 'line')}. How the session ended and what it produced are still recorded.
          </p>
        )}
      </div>
    )
  if (phase.is === 'loading') return <LoadingLog onRetry={onRetry} />
  if (complete || session.state === 'ended') return <p className={css['notice']}>This session ended without output.</p>
  if (session.state === 'starting')
    return (
      <p className={css['notice']}>
        {activity === null ? 'The container is starting' : shown(activity)} · {elapsed}
      </p>
    )
  return <p className={css['notice']}>Running for {elapsed}, no output yet</p>
}

const WAITS_MS = 4_000
const RETRY_MS = 15_000

/** Shown before any line arrives: what the log waits for, and after a while a way to try again. */
function LoadingLog({ onRetry }: { onRetry: () => void }) {
  const now = useNow()
  const [since] = useState(now)
  const waited = now - since
  return (
    <div className={`${css['notice']} ${css['late']}`} aria-busy="true">
      <p>
        Loading the log…
        {waited >= WAITS_MS && ` No answer from the server for ${elapsedText(waited)}.`}
      </p>
      {waited >= RETRY_MS && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}
