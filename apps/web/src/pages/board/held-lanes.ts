import type { BoardCard, Lane } from '../../feed/lanes.ts'
import { lanes } from '../../feed/lanes.ts'

/** A card as it stands on the screen; `movedTo` when it belongs elsewhere by now and is kept for the person at it. */
export type ShownCard = BoardCard & { movedTo?: Lane }
export type ShownLanes = Record<Lane, readonly ShownCard[]>

/** A column that somebody is about to click in, or has the focus in: its cards as they stood when that began. */
export type Hold = { lane: Lane; ids: readonly string[] }

/** The other columns follow the server; what belongs into the held one by now comes below it, so that nothing shifts. */
export function holdLanes(all: Record<Lane, BoardCard[]>, hold: Hold | null): ShownLanes {
  if (hold === null) return all
  const now = new Map<string, BoardCard>()
  for (const lane of lanes) for (const item of all[lane]) now.set(item.card.id, item)
  const held = new Set(hold.ids)
  const kept = hold.ids.flatMap((id): ShownCard[] => {
    const item = now.get(id)
    if (item === undefined) return []
    return [item.lane === hold.lane ? item : { ...item, lane: hold.lane, movedTo: item.lane }]
  })
  const result: ShownLanes = { ...all }
  for (const lane of lanes) {
    if (lane === hold.lane) result[lane] = [...kept, ...all[lane].filter(({ card }) => !held.has(card.id))]
    else if (kept.some(({ movedTo }) => movedTo === lane))
      result[lane] = all[lane].filter(({ card }) => !held.has(card.id))
  }
  return result
}

/** The rows of a list in the order in which they stood, with what is new below them. */
export function holdRows(cards: readonly BoardCard[], ids: readonly string[] | null): readonly BoardCard[] {
  if (ids === null) return cards
  const now = new Map(cards.map((item) => [item.card.id, item]))
  const held = ids.flatMap((id) => now.get(id) ?? [])
  for (const id of ids) now.delete(id)
  return [...held, ...now.values()]
}
