import type { CardGroup } from '@beadloom/core/board/board-groups.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'

/** A card on the screen; `movedTo` is set if it belongs elsewhere now and stays for the person at it. */
export type ShownCard = BoardCard & { movedTo?: Pick<CardGroup, 'lane' | 'name'> }
export type ShownColumn = CardGroup<ShownCard>

/** A column in which somebody is about to click, or has the focus: its cards as they were at the start of that. */
export type Hold = { column: string; ids: readonly string[] }

/** Other columns follow the server. Cards new to the held one come below it, so that nothing shifts. */
export function holdColumns(all: readonly CardGroup[], hold: Hold | null): readonly ShownColumn[] {
  const held = hold === null ? undefined : all.find(({ key }) => key === hold.column)
  if (hold === null || held === undefined) return all
  const ids = new Set(hold.ids)
  const now = new Map<string, { item: BoardCard; column: CardGroup }>()
  for (const column of all)
    for (const item of column.cards) if (ids.has(item.card.id)) now.set(item.card.id, { item, column })
  const left = new Set<string>()
  const kept = hold.ids.flatMap((id): ShownCard[] => {
    const place = now.get(id)
    if (place === undefined) return []
    const { item, column } = place
    if (column.key === held.key) return [item]
    left.add(column.key)
    return [{ ...item, lane: held.lane ?? item.lane, movedTo: { lane: column.lane, name: column.name } }]
  })
  const others = (cards: readonly BoardCard[]) => cards.filter(({ card }) => !ids.has(card.id))
  return all.map((column) => {
    if (column.key === held.key) return { ...column, cards: [...kept, ...others(column.cards)] }
    return left.has(column.key) ? { ...column, cards: others(column.cards) } : column
  })
}

/** A row of a list: a bead, or the name of a group. */
export type ListRow = { key: string; item: BoardCard } | { key: string; item: null; group: CardGroup }

/** The rows of a list in their former order, with new ones below them. */
export function holdRows(rows: readonly ListRow[], held: readonly ListRow[] | null): readonly ListRow[] {
  if (held === null) return rows
  const now = new Map(rows.map((row) => [row.key, row]))
  // A name without beads stays, too: the rows below it must not move up.
  const kept = held.flatMap((row) => now.get(row.key) ?? (row.item === null ? row : []))
  for (const { key } of held) now.delete(key)
  return [...kept, ...now.values()]
}
