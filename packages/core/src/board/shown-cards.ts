import { lanes } from './board-card.ts'
import { filterLanes, isFiltered } from './board-filter.ts'
import { groupCards, type CardGroup } from './board-groups.ts'
import { filterOfSearch, sortOfSearch, type BoardSearch } from './board-search.ts'
import { sortCards } from './card-sort.ts'
import { cardsByLane, type BoardParts } from './cards-by-lane.ts'
import { nestFollowUps } from './follow-up-nest.ts'

/**
 * The result of a search, as the rows of a list: in groups, or in a single group without a name if grouped by state and
 * sorted by a column. Groups without a card are left out.
 */
export function shownCards(parts: BoardParts, search: BoardSearch): CardGroup[] {
  const every = cardsByLane(parts)
  const filter = filterOfSearch(search)
  // A search or filter finds follow-ups and reminders as rows of their own.
  const all = isFiltered(filter) ? filterLanes(every, filter) : nestFollowUps(every)
  const sort = sortOfSearch(search)
  const by = search.group ?? 'state'
  const beads = new Map(parts.cards.map((card) => [card.id, card]))
  const one = (): CardGroup => ({ key: '', lane: null, name: '', cards: lanes.flatMap((lane) => all[lane]) })
  const groups = by === 'state' && sort !== null ? [one()] : groupCards(all, by, beads)
  return groups.flatMap((group) =>
    group.cards.length === 0 ? [] : [{ ...group, cards: sortCards(group.cards, sort) }],
  )
}
