import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { SystemContainer, SystemView } from '@beadloom/core/api/server/system-api.ts'
import { Link } from '@tanstack/react-router'
import { EngineList } from './engine-list.tsx'
import { ImageTable } from './image-table.tsx'
import { placeText } from '@beadloom/core/views/place-words.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { exactText, sinceText } from '../../ui/text/time-text.ts'
import { FactTable, type Column } from '../../ui/fact-table.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import page from '../../ui/facts-page.module.css'

/** Slots, containers, images and disk. The parts from the status are live; the rest is as old as the last refresh. */
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
          <Verdict ok={docker.ok}>{shown(docker.text)}</Verdict>
          {docker.ok && docker.where !== null && <p className={page['muted']}>{shown(docker.where)}</p>}
          {docker.weaker.map((line) => (
            <p key={line} className={page['muted']}>
              <Verdict ok={null}>{shown(line)}</Verdict>
            </p>
          ))}
        </dd>
        <dt>Disk</dt>
        <dd>
          <Verdict ok={disk.ok}>
            {bytesText(disk.freeBytes)} free{disk.ok ? '' : '; nothing starts below 2 GiB'}
          </Verdict>
        </dd>
        <dt>Backups</dt>
        <dd>
          {backups === null ? (
            'turned off'
          ) : backups.problem !== null ? (
            <Verdict ok={false}>{shown(backups.problem)}</Verdict>
          ) : backups.newest === null ? (
            'none yet; one is made every hour in which something changed'
          ) : (
            `${backups.kept} kept, newest ${sinceText(now - backups.newest)}`
          )}
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
    <FactTable
      label={{ text: 'Containers' }}
      caption={
        counted(containers.total, 'container') +
        (containers.items.length < containers.total ? `, newest ${containers.items.length} shown` : '')
      }
      columns={columnsOf(several, now)}
      rows={containers.items}
      keyOf={({ id }) => id}
    />
  )
}

const columnsOf = (several: boolean, now: number): Column<SystemContainer>[] => [
  { title: 'Container', cell: ({ id }) => <code>{shown(id)}</code> },
  {
    title: 'Bead',
    cell: ({ execution, waitsFor }) =>
      execution !== null ? (
        <Link to="/p/$project/b/$bead" params={{ project: execution.project, bead: execution.bead }}>
          {shown(execution.bead)}
        </Link>
      ) : waitsFor === null ? (
        'unknown'
      ) : (
        `the next bead of ${shown(waitsFor)}`
      ),
  },
  { title: 'Kind', cell: ({ kind }) => shown(kind) },
  { title: 'State', cell: ({ state }) => shown(state) },
  ...(several ? [{ title: 'Where', cell: (one: SystemContainer) => shown(placeText(one)) }] : []),
  {
    title: 'Created',
    cell: ({ createdAt }) => sinceText(now - createdAt),
    hint: ({ createdAt }) => exactText(createdAt),
  },
]
