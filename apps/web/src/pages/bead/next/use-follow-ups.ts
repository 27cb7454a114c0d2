import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isInside } from '@beadloom/core/bead/inside.ts'
import { laneOf, lanes, type BoardCard } from '@beadloom/core/board/board-card.ts'
import { useMemo } from 'react'
import { useKnownExecutions } from '../../../components/bead/known-executions.ts'
import { useBoard } from '../../../feed/feed-context.tsx'

/**
 * Beads filed because a bead ended as it did, and shown inside it, in the order of the board's columns, oldest first.
 */
export function useFollowUps(project: string, bead: BeadView): readonly BoardCard[] {
  const known = useKnownExecutions(project)
  const board = useBoard(project).view
  return useMemo(() => followUpsOf(bead, board, known), [bead, board, known])
}

type Executions = ReadonlyMap<string, ExecutionView>
type Board = { beads: ReadonlyMap<string, BoardCard['card']>; executions: Executions }

function followUpsOf(bead: BeadView, board: Board | null, known: Executions): BoardCard[] {
  if (board === null) return []
  const items: BoardCard[] = []
  for (const card of board.beads.values()) {
    if (card.followUpOf !== bead.id || card.hidden || !isInside(card, bead)) continue
    const id = card.execution
    const execution = id === null ? null : (board.executions.get(id) ?? known.get(id) ?? null)
    items.push({ card, execution, lane: laneOf(card, execution), position: null })
  }
  return items.toSorted((a, b) => lanes.indexOf(a.lane) - lanes.indexOf(b.lane) || a.card.createdAt - b.card.createdAt)
}
