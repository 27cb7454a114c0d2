import type { ServerStatus } from '@beadloom/core/api.ts'
import { useConnection } from './connection.ts'
import { useFeed, useHome, useNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { bytesText, exactText, spanText } from '../../ui/time-text.ts'
import { toast } from '../../ui/toast.tsx'
import css from './system-dialog.module.css'

/** What the server and the connection say about themselves, and a text of it for a report. */
export function SystemDialog({ onClose }: { onClose: () => void }) {
  const feed = useFeed()
  const status = useHome().view?.status ?? null
  const connection = useConnection()
  const now = useNow()
  const { welcome, skew, lastFrameAt } = feed.socket
  const diagnostics = () =>
    JSON.stringify(
      {
        link: feed.socket.link,
        welcome,
        skew,
        lastFrameAgeMs: Date.now() - lastFrameAt,
        cursors: feed.socket.cursors(),
        userAgent: navigator.userAgent,
      },
      null,
      2,
    )
  return (
    <Dialog title="Server and connection" onClose={onClose}>
      <dl className={css['facts']}>
        <dt>Connection</dt>
        <dd>
          {connection.glyph} {connection.text}
        </dd>
        {welcome && (
          <>
            <dt>Build</dt>
            <dd>{welcome.build}</dd>
          </>
        )}
        {status && <StatusFacts status={status} now={now + skew} />}
      </dl>
      <DialogActions>
        <Button
          onClick={() => void navigator.clipboard.writeText(diagnostics()).then(() => toast('Diagnostics copied'))}
        >
          Copy diagnostics
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function StatusFacts({ status, now }: { status: ServerStatus; now: number }) {
  return (
    <>
      <dt>Server</dt>
      <dd>
        {status.version}, up {spanText(now - status.startedAt)} since {exactText(status.startedAt)}
      </dd>
      <dt>Slots</dt>
      <dd>
        {status.slots.used} of {status.slots.total} in use, {status.queue.length} queued
        {status.paused ? ', paused' : ''}
      </dd>
      <dt>Docker</dt>
      <dd>
        {status.docker.ok ? '✓' : '✕'} {status.docker.text}
        {status.docker.weaker.map((line) => (
          <p key={line}>⚠ {line}</p>
        ))}
      </dd>
      <dt>Model</dt>
      <dd>
        {status.model.ok ? '✓' : '✕'} {status.model.name ? `${status.model.name}: ` : ''}
        {status.model.text}
      </dd>
      <dt>Disk</dt>
      <dd>
        {status.disk.ok ? '✓' : '✕'} {bytesText(status.disk.freeBytes)} free
      </dd>
    </>
  )
}
