import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Move } from './moves.ts'
import { lanes, type BoardCard, type Lane } from '@beadloom/core/board/board-card.ts'
import { orders } from '@beadloom/core/board/lane-order.ts'

/** A move that the board does not show yet: the bead's former state, and the one to show. */
export type PendingMove = { was: Pick<BoardCard, 'lane'> & { execution: string | null; priority: number }; move: Move }
export type PendingMoves = ReadonlyMap<string, PendingMove>
export const nothingPending: PendingMoves = new Map()

export const pendingOf = ({ card, lane }: BoardCard, move: Move): PendingMove => ({
  was: { lane, execution: card.execution, priority: card.priority },
  move,
})

/** A move that the server has made but the tracker may still refuse. `seen`: its reason for refusing an earlier one. */
export type AskedMove = { move: Move; seen: string | null }

const fieldOf = (move: Move) => (move.to === 'priority' ? 'priority' : move.to === 'queue' ? null : 'status')

export const refusalOfMove = (move: Move, { refused }: Pick<BeadCard, 'refused'>): string | null =>
  refused?.find(({ field }) => field === fieldOf(move))?.why ?? null

/** The move as asked, with the tracker's current reason of refusal; null if the tracker has no part in it. */
export const askedMove = (move: Move, card: BeadCard): AskedMove | null =>
  fieldOf(move) === null ? null : { move, seen: refusalOfMove(move, card) }

const laneAfter: Record<Exclude<Move['to'], 'priority'>, Lane> = { queue: 'queued', open: 'open', done: 'completed' }

/** The card after the move; null once the server reports anything else about it, which counts more. */
function moved(item: BoardCard, { was, move }: PendingMove): BoardCard | null {
  if (move.to === 'priority')
    return item.card.priority === was.priority ? { ...item, card: { ...item.card, priority: move.priority } } : null
  const isSame = item.lane === was.lane && item.card.execution === was.execution
  return isSame ? { ...item, lane: laneAfter[move.to], position: null } : null
}

/** The lanes with beads where a person has just put them. Without pending moves, the same object. */
export function withPending(all: Record<Lane, BoardCard[]>, pending: PendingMoves): Record<Lane, BoardCard[]> {
  if (pending.size === 0) return all
  const come: BoardCard[] = []
  const gone = new Set<BoardCard>()
  for (const lane of lanes)
    for (const item of all[lane]) {
      const one = pending.get(item.card.id)
      const next = one === undefined ? null : moved(item, one)
      if (next === null) continue
      gone.add(item)
      come.push(next)
    }
  if (gone.size === 0) return all
  const result = { ...all }
  for (const lane of lanes) {
    const mine = come.filter((item) => item.lane === lane)
    if (mine.length === 0 && !all[lane].some((item) => gone.has(item))) continue
    const left = all[lane].filter((item) => !gone.has(item))
    result[lane] = mine.length === 0 ? left : [...left, ...mine].toSorted(orders[lane])
  }
  return result
}
