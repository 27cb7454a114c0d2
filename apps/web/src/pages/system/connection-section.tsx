import type { SystemView } from '@beadloom/core/api/system-api.ts'
import css from './system-page.module.css'
import { behind, type SocketFacts } from './diagnostics.ts'
import { useConnection } from '../shell/connection.ts'
import { shown } from '../../ui/hostile-text.ts'
import { countText } from '../../ui/count-text.ts'
import { spanText } from '../../ui/time-text.ts'
import page from '../../ui/facts-page.module.css'

/** What this page and the server know about each other. */
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
          {connection.glyph} {connection.text}
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
        <div className={css['scroll']} tabIndex={0} role="group" aria-label="Topics this page follows">
          <table className={css['table']}>
            <caption>Topics this page follows</caption>
            <thead>
              <tr>
                <th scope="col">Topic</th>
                <th scope="col">Received up to</th>
                <th scope="col">Behind</th>
              </tr>
            </thead>
            <tbody>
              {cursors.map(({ topic, next }) => {
                const lag = behind(topic, next, seq)
                return (
                  <tr key={topic}>
                    <td>{shown(topic)}</td>
                    <td>{countText(next)}</td>
                    <td>{lag === null ? '–' : countText(lag)}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
          <p className={page['muted']}>
            Boards count changes, logs count lines. A board receives only its own changes, so it can be behind the
            newest change and still be complete.
          </p>
        </div>
      )}
    </section>
  )
}
