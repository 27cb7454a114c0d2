import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Package } from 'lucide-react'
import css from './system-page.module.css'
import { getContainers } from '../../api/server.ts'
import { KeptContainerNote } from '../../components/bead/kept-container.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import page from '../../ui/facts-page.module.css'

const LOOK_MS = 10_000

/** Containers that may hold unsaved work; nothing while there are none. */
export function KeptSection() {
  const { data, error, refetch } = useQuery({
    queryKey: ['containers'],
    queryFn: ({ signal }) => getContainers(signal),
    refetchInterval: LOOK_MS,
  })
  if (error === null && (data === undefined || data.items.length === 0)) return null
  return (
    <section aria-labelledby="kept" className={page['section']}>
      <h2 id="kept">Unsaved work</h2>
      {error !== null && <p role="alert">The kept containers could not be loaded. {shown(error.message)}</p>}
      <ul className={css['steps']} aria-label="Containers with unsaved work">
        {data?.items.map((kept) => (
          <li key={kept.name} className={css['step']}>
            <Package size={16} strokeWidth={1.75} aria-hidden className={css['kept']} />
            <div>
              {kept.bead !== '' && (
                <p className={css['name']}>
                  <Link to="/p/$project/b/$bead" params={{ project: kept.project, bead: kept.bead }}>
                    {shown(kept.bead)}
                  </Link>{' '}
                  <span className={page['muted']}>in {shown(kept.project)}</span>
                </p>
              )}
              <KeptContainerNote kept={kept} onChange={() => void refetch()} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
