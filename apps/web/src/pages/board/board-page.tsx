import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { BoardBanners } from './board-banners.tsx'
import css from './board-page.module.css'
import { BoardColumns } from './columns/board-columns.tsx'
import { NoBeads, NothingFound } from './empty-board.tsx'
import { BoardList, type BoardListProps } from './list/board-list.tsx'
import { listRows } from './list/list-rows.ts'
import { DragLayer } from './moves/drag-layer.tsx'
import { useCardDrag } from './moves/use-card-drag.ts'
import { useMoves } from './moves/use-moves.ts'
import { SinceBanner } from './since-banner.tsx'
import { BoardToolbar } from './toolbar/board-toolbar.tsx'
import { LateNewBead } from './toolbar/late-new-bead.tsx'
import { nothingChosen } from './toolbar/selection.ts'
import { SelectionBar } from './toolbar/selection-bar.tsx'
import { useShownCards, type ShownCards } from './use-shown-cards.ts'
import { useDefaultView } from './views/use-default-view.ts'
import { rememberList } from '../../components/bead/board-memory.ts'
import { useKnownExecutions } from '../../components/bead/known-executions.ts'
import { lanes, type BoardCard, type Lane } from '@beadloom/core/board/board-card.ts'
import { withoutFilter, type BoardSearch } from '@beadloom/core/board/board-search.ts'
import type { BoardView } from '../../feed/board-fold.ts'
import { useBoard, useHome } from '../../feed/feed-context.tsx'
import { whenIdle } from '../../ui/lazy-part.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { rememberProject } from '../setup/last-project.ts'

const route = getRouteApi('/p/$project')

export function BoardPage() {
  const { project } = route.useParams()
  const search = route.useSearch()
  const deferred = useDeferredValue(search)
  const navigate = route.useNavigate()
  const home = useHome().view
  const known = useKnownExecutions(project)
  const navigated = useCallback((next: BoardSearch) => void navigate({ search: next, replace: true }), [navigate])
  const go = useDefaultView(project, search, navigated)
  usePageTitle(home?.projects.get(project)?.name ?? project)
  const router = useRouter()
  // People open a bead's page next: a pointer on its way to a card would load it ahead, keys and fingers would not.
  useEffect(() => whenIdle(() => void router.loadRouteChunk(router.routesById['/p/$project/b/$bead'])), [router])
  return <Board project={project} search={search} deferred={deferred} home={home} known={known} onSearch={go} />
}

type Props = {
  project: string
  search: BoardSearch
  /** The search that filters the beads; may lag behind `search`. */
  deferred: BoardSearch
  home: BoardView | null
  known: ReadonlyMap<string, ExecutionView>
  onSearch: (next: BoardSearch) => void
}

/** The part that renders with each change of a bead; the part above does not depend on beads. */
function Board({ project: id, search, deferred, home, known, onSearch: go }: Props) {
  const { view, gone } = useBoard(id)
  const [selection, setSelection] = useState(nothingChosen)
  const [adding, setAdding] = useState(false)
  const startAdding = useCallback(() => setAdding(true), [])

  const project = home?.projects.get(id)
  const moves = useMoves(id, project, view?.beads)
  const { pending } = moves
  const cards = useShownCards({ project: id, view, home, known, search: deferred, pending })
  const { every, all, shown, by } = cards
  const latest = useRef(cards)
  useLayoutEffect(() => {
    latest.current = cards
  })
  useRemembered(id, view !== null, latest)
  const cardsNow = useCallback(() => {
    const { every: now } = latest.current // filters count the beads that each of their values would show
    return now ? lanes.flatMap((lane) => now[lane]) : []
  }, [])
  const chosen = useMemo(
    () =>
      shown === null || selection.ids.size === 0
        ? []
        : lanes.flatMap((lane) => shown[lane].filter(({ card }) => selection.ids.has(card.id))),
    [shown, selection],
  )
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const drag = useCardDrag({ root, view: project, by, shown, chosen: selection.ids, moves })

  if (gone !== null || (home !== null && view !== null && !home.projects.has(id) && view.beads.size === 0))
    return (
      <PanelMessage title="Project not found" alone>
        <p>There is no project “{id}”. Choose another one at the top left.</p>
      </PanelMessage>
    )
  const total = all ? count(all) : 0
  const found = shown ? count(shown) : 0
  const slots = home?.status?.slots ?? null
  const waiting = slots && slots.used >= slots.total && project?.paused !== true ? (all?.queued.length ?? 0) : 0
  const bulk = chosen.length > 0
  const common = { project: id, view: project, selection, bulk, onSelect: setSelection, moves, drag }
  return (
    <div className={css['page']} ref={setRoot}>
      <h1 className="visually-hidden">Board of {id}</h1>
      <BoardToolbar
        project={id}
        view={project ?? null}
        search={search}
        total={total}
        used={cards.used}
        cards={cardsNow}
        shown={found}
        filtered={cards.filtered}
        waiting={waiting}
        onSearch={go}
        onNew={startAdding}
      />
      <BoardBanners project={project ?? null} status={home?.status ?? null} />
      {every && <SinceBanner project={id} lanes={every} />}
      {shown === null ? (
        <Skeleton />
      ) : total === 0 ? (
        <NoBeads project={id} onNew={() => setAdding(true)} />
      ) : found === 0 ? (
        <NothingFound project={id} total={total} search={search} onClear={() => go(withoutFilter(search))} />
      ) : (
        <Beads {...common} cards={cards} lanes={shown} search={search} slots={slots} onSearch={go} />
      )}
      {adding && <LateNewBead project={id} onClose={() => setAdding(false)} />}
      {selection.ids.size > 0 && (
        <SelectionBar
          project={id}
          view={project}
          cards={chosen}
          moves={moves}
          onClear={() => setSelection(nothingChosen)}
        />
      )}
      <DragLayer drag={drag} />
    </div>
  )
}

/** Remembers this board, and for the page of a bead the order of its beads. */
function useRemembered(id: string, isThere: boolean, latest: RefObject<ShownCards>): void {
  useEffect(() => {
    if (!isThere) return
    rememberProject(id)
    rememberList(id, () => {
      const { shown, by, beads, order } = latest.current
      if (shown === null) return []
      return listRows(shown, by, beads, order).flatMap(({ item }) => (item === null ? [] : item.card.id))
    })
  }, [id, isThere, latest])
}

type BeadsProps = Omit<BoardListProps, 'by' | 'beads' | 'sort' | 'onSort'> & {
  cards: ShownCards
  search: BoardSearch
  slots: ServerStatus['slots'] | null
  onSearch: (next: BoardSearch) => void
}

/** The beads as a list, or in columns. */
function Beads({ cards: { by, beads, sort, filtered }, search, slots, onSearch, ...common }: BeadsProps) {
  if (search.view === 'list')
    return (
      <BoardList {...common} by={by} beads={beads} sort={sort} onSort={(next) => onSearch({ ...search, sort: next })} />
    )
  return (
    <BoardColumns
      {...common}
      slots={slots}
      by={by}
      beads={beads}
      filtered={filtered}
      chosen={search.lane ?? firstBusy(common.lanes)}
      onChoose={(lane) => onSearch({ ...search, lane })}
    />
  )
}

const count = (all: Record<Lane, BoardCard[]>): number => lanes.reduce((sum, lane) => sum + all[lane].length, 0)

/** A narrow screen shows one lane: the first one where something happens. */
function firstBusy(all: Record<Lane, BoardCard[]>): Lane {
  const turns: Record<Lane, number> = {
    running: 1,
    failed: 2,
    blocked: 3,
    timeout: 4,
    queued: 5,
    open: 6,
    completed: 7,
  }
  const [first] = lanes.filter((lane) => all[lane].length > 0).toSorted((a, b) => turns[a] - turns[b])
  return first ?? 'open'
}

const Skeleton = () => (
  <div className={css['skeleton']} role="status" aria-busy="true" aria-label="Loading board">
    {[3, 2, 1, 4].map((cards, column) => (
      <div key={column}>
        {Array.from({ length: cards }, (_, card) => (
          <div key={card} />
        ))}
      </div>
    ))}
  </div>
)
