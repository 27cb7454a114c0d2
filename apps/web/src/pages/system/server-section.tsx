import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import css from './system-page.module.css'
import { useServerNow } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { countText, counted } from '@beadloom/core/text/count-text.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { exactText, spanText } from '../../ui/text/time-text.ts'
import page from '../../ui/facts-page.module.css'

/** The server's process and its load. */
export function ServerSection({ status, system }: { status: ServerStatus | null; system: SystemView | null }) {
  const now = useServerNow()
  const most = Math.max(1, ...(system?.events.perMinute ?? []))
  return (
    <section aria-labelledby="server" className={page['section']}>
      <h2 id="server">Server</h2>
      <dl className={page['facts']}>
        {status && (
          <>
            <dt>Version</dt>
            <dd>
              {shown(status.version)}
              {system && <span className={page['muted']}>, Node {shown(system.node)}</span>}
            </dd>
            <dt>Uptime</dt>
            <dd>
              <span className="live-number">{spanText(now - status.startedAt)}</span>
              <span className={page['muted']}>, since {exactText(status.startedAt)}</span>
            </dd>
          </>
        )}
        {system && (
          <>
            <dt>Memory</dt>
            <dd>{bytesText(system.memoryBytes)}</dd>
            <dt>Events</dt>
            <dd>
              {countText(system.events.lastMinute)} in the last minute
              <span
                className={css['bars']}
                role="img"
                aria-label={`Events per minute, newest last: ${system.events.perMinute.join(', ')}`}
              >
                {system.events.perMinute.map((count, minute) => (
                  // Minutes have no identity of their own: they shift.
                  <span key={minute} className={css['bar']}>
                    <span style={{ height: `${(count / most) * 100}%` }} />
                  </span>
                ))}
              </span>
            </dd>
            <dt>Clients</dt>
            <dd>
              {system.readers.sockets} · {counted(system.readers.channels, 'topic')} ·{' '}
              {bytesText(system.readers.bufferedBytes)} queued
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
