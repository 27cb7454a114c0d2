import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getContainers } from '../../api/server.ts'
import { KeptContainerNote } from '../../components/bead/kept-container.tsx'
import { shown } from '../../ui/hostile-text.ts'
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
      {data?.items.map((kept) => (
        <div key={kept.name}>
          {kept.bead !== '' && (
            <p>
              <Link to="/p/$project/b/$bead" params={{ project: kept.project, bead: kept.bead }}>
                {shown(kept.bead)}
              </Link>
            </p>
          )}
          <KeptContainerNote kept={kept} onChange={() => void refetch()} />
        </div>
      ))}
    </section>
  )
}
