import type { BeadCard } from '../api/beads/bead-api.ts'
import type { ExecutionView } from '../api/executions/execution-api.ts'
import { laneOf, lanes, noCards, type BoardCard, type Lane } from './board-card.ts'
import { orders, type Order } from './lane-order.ts'

/** The parts of a board. `positions`: places in the queue, by execution. */
export type BoardParts = {
  cards: readonly BeadCard[]
  executions: ReadonlyMap<string, ExecutionView>
  positions: ReadonlyMap<string, number>
}

/** All cards by lane, each lane in its order. The dashboard's `LaneKeeper` keeps a board that changes. */
export function cardsByLane({ cards, executions, positions }: BoardParts): Record<Lane, BoardCard[]> {
  const all = noCards()
  const waiting = new Map<string, number>()
  for (const card of cards) {
    if (card.hidden) continue
    const execution = (card.execution !== null && executions.get(card.execution)) || null
    const lane = laneOf(card, execution)
    all[lane].push({ card, execution, lane, position: positions.get(card.execution ?? '') ?? null })
    for (const other of card.reason?.beads ?? []) waiting.set(other, (waiting.get(other) ?? 0) + 1)
  }
  const opens = ({ card }: BoardCard) => waiting.get(card.id) ?? 0
  const byUnlocks: Order = (a, b) => opens(b) - opens(a) || orders.blocked(a, b)
  for (const lane of lanes) all[lane].sort(lane === 'blocked' ? byUnlocks : orders[lane])
  return all
}
