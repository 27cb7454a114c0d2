import type { Session } from '@beadloom/core/session.ts'
import css from './log-pane.module.css'
import type { LogFeed } from '../../feed/log-feed.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { clockText } from '../../ui/time-text.ts'

type Props = {
  session: Session
  lines: number
  phase: LogFeed['phase']
  complete: boolean
  partial: boolean
  onRetry: () => void
}

/** Why there is nothing to read (yet). It lies over an empty view and says nothing about one with lines. */
export function LogNotice({ session, lines, phase, complete, partial, onRetry }: Props) {
  const now = useServerNow()
  if (lines > 0 || partial) return null
  const elapsed = clockText(now - session.startedAt)
  if (phase.is === 'failed')
    return (
      <div className={css['notice']} role="alert">
        <p>The log could not be read: {phase.message}</p>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    )
  if (phase.is === 'expired') return <p className={css['notice']}>{phase.reason}</p>
  if (phase.is === 'loading') return <p className={`${css['notice']} ${css['late']}`}>Reading the log…</p>
  if (complete || session.state === 'ended')
    return <p className={css['notice']}>This session ended without any output.</p>
  if (session.state === 'starting') return <p className={css['notice']}>The container is starting · {elapsed}</p>
  return <p className={css['notice']}>Running for {elapsed}, no output yet</p>
}
