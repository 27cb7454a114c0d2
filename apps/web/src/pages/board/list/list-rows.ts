import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ListRow } from '../columns/held-columns.ts'
import { sortCards } from '@beadloom/core/board/card-sort.ts'
import type { ListSort } from '@beadloom/core/board/card-sort.ts'
import { groupCards } from '@beadloom/core/board/board-groups.ts'
import type { Grouping } from '@beadloom/core/board/board-groups.ts'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { lanes } from '@beadloom/core/board/board-card.ts'

/**
 * The rows of a list: each group below its name, sorted within. A sorted list is not grouped by state: people who sort
 * by age want the oldest bead of all.
 */
export function listRows(
  all: Record<Lane, BoardCard[]>,
  by: Grouping,
  beads: ReadonlyMap<string, BeadCard>,
  sort: ListSort | null,
): ListRow[] {
  if (by === 'state' && sort !== null)
    return sortCards(
      lanes.flatMap((lane) => all[lane]),
      sort,
    ).map(rowOf)
  return groupCards(all, by, beads).flatMap((group): ListRow[] =>
    group.cards.length === 0
      ? []
      : [{ key: `group ${group.key}`, item: null, group }, ...sortCards(group.cards, sort).map(rowOf)],
  )
}

const rowOf = (item: BoardCard): ListRow => ({ key: item.card.id, item })
