import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { useMemo, useState } from 'react'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { filterLanes, isFiltered, type Facet } from '@beadloom/core/board/board-filter.ts'
import type { Grouping } from '@beadloom/core/board/board-groups.ts'
import { filterOfSearch, sortOfSearch, type BoardSearch } from '@beadloom/core/board/board-search.ts'
import type { ListSort } from '@beadloom/core/board/card-sort.ts'
import { FollowUpNest } from '@beadloom/core/board/follow-up-nest.ts'
import { withPending, type PendingMoves } from './moves/pending-moves.ts'
import type { BoardView } from '../../feed/board-fold.ts'
import { LaneKeeper } from '../../feed/lanes.ts'

/** Kept for the last board: a person who returns to it does not wait while thousands of beads are sorted again. */
let kept = { project: '', keeper: new LaneKeeper(), nest: new FollowUpNest() }

function keptFor(project: string): typeof kept {
  if (kept.project !== project) kept = { project, keeper: new LaneKeeper(), nest: new FollowUpNest() }
  return kept
}

type Lanes = Record<Lane, BoardCard[]>
type Parts = {
  project: string
  view: BoardView | null
  home: BoardView | null
  known: ReadonlyMap<string, ExecutionView>
  search: BoardSearch
  /** Moves that the server has not answered. */
  pending: PendingMoves
}
/** The lanes are null until the board is loaded. */
export type ShownCards = {
  /** All beads. */
  every: Lanes | null
  /** Without those that are shown inside another one. */
  all: Lanes | null
  /** The beads that the filter lets through. */
  shown: Lanes | null
  filtered: boolean
  sort: ListSort | null
  /** The order of the list; columns have their own. */
  order: ListSort | null
  by: Grouping
  /** The facets that have values on this board. */
  used: Facet[]
  beads: ReadonlyMap<string, BeadCard>
}

const noQueue: never[] = []
const noBeads: ReadonlyMap<string, BeadCard> = new Map()

/** The beads of a board by state, as its search shows them. */
export function useShownCards({ project: id, view, home, known, search, pending }: Parts): ShownCards {
  const queue = home?.status?.queue ?? noQueue
  const filter = useMemo(() => filterOfSearch(search), [search])
  const sort = useMemo(() => sortOfSearch(search), [search])
  const [{ keeper, nest }] = useState(() => keptFor(id))
  const there = useMemo(() => (view ? keeper.lanes(view, queue, known) : null), [keeper, view, queue, known])
  const every = useMemo(() => there && withPending(there, pending), [there, pending])
  // Searches and filters find follow-ups and reminders on their own.
  const all = useMemo(() => (every && !isFiltered(filter) ? nest.nest(every) : every), [nest, every, filter])
  const shown = useMemo(() => (all && isFiltered(filter) ? filterLanes(all, filter) : all), [all, filter])
  const narrows = keeper.used().join()
  const used = useMemo(() => narrows.split(',') as Facet[], [narrows])
  const by: Grouping = search.group ?? 'state'
  const beads = view?.beads ?? noBeads
  const order = search.view === 'list' ? sort : null
  return { every, all, shown, filtered: isFiltered(filter), sort, order, by, used, beads }
}
