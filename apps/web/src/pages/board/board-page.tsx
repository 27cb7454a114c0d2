import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { BoardBanners } from './board-banners.tsx'
import { BoardColumns } from './board-columns.tsx'
import { BoardToolbar } from './board-toolbar.tsx'
import { useKnownExecutions } from './known-executions.ts'
import css from './board-page.module.css'
import { rememberList } from '../../components/bead/bead-list.ts'
import { useBoard, useHome } from '../../feed/feed-context.tsx'
import { boardLanes, lanes, matchesFilter } from '../../feed/lanes.ts'
import type { BoardCard, Lane } from '../../feed/lanes.ts'
import { Button } from '../../ui/button.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { rememberProject } from '../setup/last-project.ts'

const route = getRouteApi('/p/$project')
const noQueue: never[] = []

export function BoardPage() {
  const { project: id } = route.useParams()
  const { q = '', lane } = route.useSearch()
  const navigate = route.useNavigate()
  const home = useHome().view
  const { view, gone } = useBoard(id)
  const known = useKnownExecutions(id, view)
  const queue = home?.status?.queue ?? noQueue
  const filter = useDeferredValue(q.trim())

  const all = useMemo(() => (view ? boardLanes(view, queue, known) : null), [view, queue, known])
  const shown = useMemo(() => (all && filter !== '' ? filterLanes(all, filter) : all), [all, filter])
  useEffect(() => {
    if (view) rememberProject(id)
  }, [id, view])
  useEffect(() => {
    if (shown) rememberList(id, () => lanes.flatMap((one) => shown[one].map(({ card }) => card.id)))
  }, [id, shown])
  usePageTitle(home?.projects.get(id)?.name ?? id)

  if (gone !== null || (home !== null && view !== null && !home.projects.has(id) && view.beads.size === 0))
    return (
      <PanelMessage title={`There is no project “${id}”`} alone>
        <p>{gone ?? 'It may have been removed.'} Choose another one at the top left.</p>
      </PanelMessage>
    )
  const total = all ? count(all) : 0
  const setFilter = (text: string) =>
    void navigate({ search: (old) => ({ ...old, q: text === '' ? undefined : text }), replace: true })
  return (
    <div className={css['page']}>
      <h1 className="visually-hidden">Board of {id}</h1>
      <BoardToolbar
        project={id}
        view={home?.projects.get(id) ?? null}
        filter={q}
        total={total}
        shown={shown ? count(shown) : 0}
        onFilter={setFilter}
      />
      <BoardBanners project={home?.projects.get(id) ?? null} status={home?.status ?? null} />
      {shown === null ? (
        <Skeleton />
      ) : total === 0 ? (
        <PanelMessage title="This project has no beads yet">
          <p>File one with “New bead” above, or in its folder:</p>
          <pre>bd create "Describe what should change"</pre>
        </PanelMessage>
      ) : count(shown) === 0 ? (
        <PanelMessage title={`None of ${total} beads has “${filter}”`}>
          <Button onClick={() => setFilter('')}>Clear the filter</Button>
        </PanelMessage>
      ) : (
        <BoardColumns
          project={id}
          view={home?.projects.get(id)}
          slots={home?.status?.slots ?? null}
          lanes={shown}
          chosen={lane ?? firstBusy(shown)}
          onChoose={(next) => void navigate({ search: (old) => ({ ...old, lane: next }), replace: true })}
        />
      )}
    </div>
  )
}

function filterLanes(all: Record<Lane, BoardCard[]>, filter: string): Record<Lane, BoardCard[]> {
  const result = { ...all }
  for (const lane of lanes) result[lane] = all[lane].filter((card) => matchesFilter(card, filter))
  return result
}

const count = (all: Record<Lane, BoardCard[]>): number => lanes.reduce((sum, lane) => sum + all[lane].length, 0)

/** On a narrow screen one lane is shown; the one where something happens comes first. */
function firstBusy(all: Record<Lane, BoardCard[]>): Lane {
  const order: Lane[] = ['running', 'failed', 'blocked', 'timeout', 'queued', 'open', 'completed']
  return order.find((lane) => all[lane].length > 0) ?? 'open'
}

const Skeleton = () => (
  <div className={css['skeleton']} aria-busy="true" aria-label="Loading the board">
    {[3, 2, 1, 4].map((cards, column) => (
      <div key={column}>
        {Array.from({ length: cards }, (_, card) => (
          <div key={card} />
        ))}
      </div>
    ))}
  </div>
)
