import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import css from './system-page.module.css'
import { behind, type SocketFacts } from './diagnostics.ts'
import { useConnection } from '../shell/connection.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { spanText } from '../../ui/text/time-text.ts'
import { FactTable, type Column } from '../../ui/fact-table.tsx'
import page from '../../ui/facts-page.module.css'

/** The page's and the server's facts about their connection. */
export function ConnectionSection({ socket, system }: { socket: SocketFacts; system: SystemView | null }) {
  const connection = useConnection()
  const { welcome, skew, age, cursors } = socket
  const seq = system?.seq ?? null
  return (
    <section aria-labelledby="connection" className={page['section']}>
      <h2 id="connection">Connection</h2>
      <dl className={page['facts']}>
        <dt>This page</dt>
        <dd>
          <span className={css['connection']} data-tone={connection.tone}>
            <connection.icon size={16} strokeWidth={2} aria-hidden /> {connection.text}
          </span>
          <p className={page['muted']}>{connection.about}</p>
        </dd>
        <dt>Last message</dt>
        <dd className="live-number">{welcome === null ? 'none yet' : `${spanText(age)} ago`}</dd>
        <dt>Build</dt>
        <dd>{welcome === null ? '–' : shown(welcome.build)}</dd>
        <dt>Epoch</dt>
        <dd>{welcome === null ? '–' : <code>{shown(welcome.epoch)}</code>}</dd>
        <dt>Newest change</dt>
        <dd>{seq === null ? '–' : countText(seq)}</dd>
        <dt>Clocks</dt>
        <dd>
          {Math.abs(skew) < 1000
            ? 'in sync'
            : `the server’s clock is ${spanText(Math.abs(skew))} ${skew > 0 ? 'ahead' : 'behind'}`}
        </dd>
      </dl>
      {cursors.length > 0 && (
        <>
          <FactTable
            label={{ text: 'Topics this page follows' }}
            caption="Topics this page follows"
            columns={columnsOf(seq)}
            rows={cursors}
            keyOf={({ topic }) => topic}
          />
          <p className={page['muted']}>
            Boards count changes, logs count lines. A board receives only its own changes, so it can be behind the
            newest change and still be complete.
          </p>
        </>
      )}
    </section>
  )
}

const columnsOf = (seq: number | null): Column<SocketFacts['cursors'][number]>[] => [
  { title: 'Topic', cell: ({ topic }) => shown(topic) },
  { title: 'Received up to', number: true, cell: ({ next }) => countText(next) },
  {
    title: 'Behind',
    number: true,
    cell: ({ topic, next }) => {
      const lag = behind(topic, next, seq)
      return lag === null ? '–' : countText(lag)
    },
  },
]
