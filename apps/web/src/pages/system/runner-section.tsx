import type { ServerStatus } from '@beadloom/core/api/server-api.ts'
import type { SystemView } from '@beadloom/core/api/system-api.ts'
import { Link } from '@tanstack/react-router'
import { EngineList } from './engine-list.tsx'
import { ImageTable } from './image-table.tsx'
import css from './system-page.module.css'
import { placeText } from '@beadloom/core/execution/place-words.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { bytesText, countOf } from '../../ui/count-text.ts'
import { exactText, sinceText } from '../../ui/time-text.ts'
import page from '../../ui/facts-page.module.css'

/** Slots, containers, images and disk. What the status has is live; the rest is as old as the last refresh. */
export function RunnerSection({ status, system }: { status: ServerStatus; system: SystemView | null }) {
  const now = useServerNow()
  const { slots, queue, docker, disk, backups } = status
  return (
    <section aria-labelledby="runner" className={page['section']}>
      <h2 id="runner">Runner</h2>
      <dl className={page['facts']}>
        <dt>Slots</dt>
        <dd>
          <span className="live-number">
            {slots.used} of {slots.total} in use, {queue.length} queued
          </span>
        </dd>
        <dt>Engine</dt>
        <dd>
          {docker.ok ? '✓' : '✕'} {shown(docker.text)}
          {docker.ok && docker.where !== null && <p className={page['muted']}>{shown(docker.where)}</p>}
          {docker.weaker.map((line) => (
            <p key={line} className={page['muted']}>
              ⚠ {shown(line)}
            </p>
          ))}
        </dd>
        <dt>Disk</dt>
        <dd>
          {disk.ok ? '✓' : '✕'} {bytesText(disk.freeBytes)} free{disk.ok ? '' : '; nothing starts below 2 GiB'}
        </dd>
        <dt>Backups</dt>
        <dd>
          {backups === null
            ? 'turned off'
            : backups.problem !== null
              ? `✕ ${shown(backups.problem)}`
              : backups.newest === null
                ? 'none yet; one is made every hour in which something changed'
                : `${backups.kept} kept, newest ${sinceText(now - backups.newest)}`}
        </dd>
        <dt>Images</dt>
        <dd>
          {system === null ? 'checking…' : system.preparing.length === 0 ? 'none being built' : null}
          {system?.preparing.map(({ execution, project, bead, what, since }) => (
            <p key={execution}>
              <Link to="/p/$project/b/$bead" params={{ project, bead }}>
                {shown(bead)}
              </Link>
              : {shown(what)}
              {since !== null && <span className={page['muted']}> ({sinceText(now - since)})</span>}
            </p>
          ))}
        </dd>
      </dl>
      {system !== null && <EngineList engines={system.engines} />}
      {system !== null && <Containers system={system} now={now} />}
      {system?.images && <ImageTable images={system.images} now={now} />}
    </section>
  )
}

function Containers({ system: { containers, why, engines }, now }: { system: SystemView; now: number }) {
  if (containers === null)
    return (
      <p role="alert" className={page['problem']}>
        The containers could not be listed. {shown(why ?? '')}
      </p>
    )
  const several = engines.length > 1
  if (containers.total === 0) return <p className={page['muted']}>No containers running.</p>
  return (
    <div className={css['scroll']} tabIndex={0} role="group" aria-label="Containers">
      <table className={css['table']}>
        <caption>
          {countOf(containers.total, 'container')}
          {containers.items.length < containers.total ? `, newest ${containers.items.length} shown` : ''}
        </caption>
        <thead>
          <tr>
            <th scope="col">Container</th>
            <th scope="col">Bead</th>
            <th scope="col">Kind</th>
            <th scope="col">State</th>
            {several && <th scope="col">Where</th>}
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {containers.items.map(({ id, execution, waitsFor, kind, state, createdAt, engine, node }) => (
            <tr key={id}>
              <td>
                <code>{shown(id)}</code>
              </td>
              <td>
                {execution === null ? (
                  waitsFor === null ? (
                    'unknown'
                  ) : (
                    `the next of ${shown(waitsFor)}`
                  )
                ) : (
                  <Link to="/p/$project/b/$bead" params={{ project: execution.project, bead: execution.bead }}>
                    {shown(execution.bead)}
                  </Link>
                )}
              </td>
              <td>{shown(kind)}</td>
              <td>{shown(state)}</td>
              {several && <td>{shown(placeText({ engine, node }))}</td>}
              <td title={exactText(createdAt)}>{sinceText(now - createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
