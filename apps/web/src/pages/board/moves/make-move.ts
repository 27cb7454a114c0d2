import { undoesClosing } from '../../../components/bead/close-bead.ts'
import type { Move } from './moves.ts'
import { cancelExecution, changeBead, editBead, pressKey, queueExecution } from '../../../api/endpoints.ts'
import { queuedAgain } from '../../../components/bead/bead-commands.tsx'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'

/** Asks the server for the move; rejects with its reason. */
export function makeMove(project: string, move: Move, { card, lane, execution }: BoardCard): Promise<unknown> {
  switch (move.to) {
    case 'queue':
      return queueExecution(project, card.id, {}, pressKey())
    case 'priority':
      return editBead(project, card.id, { priority: { was: card.priority, to: move.priority } })
    case 'open':
      return lane === 'queued' && execution !== null
        ? cancelExecution(execution.id)
        : changeBead(project, card.id, 'open')
    case 'done':
      return changeBead(project, card.id, 'done')
  }
}

/** The undo of a move; null if there is none. */
export function undoMove(project: string, move: Move, item: BoardCard): (() => Promise<unknown>) | null {
  const { card, lane, execution } = item
  switch (move.to) {
    case 'priority':
      return () => editBead(project, card.id, { priority: { was: move.priority, to: card.priority } })
    case 'open':
      if (lane === 'queued' && execution !== null)
        return () => queueExecution(project, card.id, queuedAgain(execution), pressKey())
      return card.status === 'done' ? () => changeBead(project, card.id, 'done') : null
    case 'done':
      return undoesClosing(card.status) ? () => changeBead(project, card.id, 'open') : null
    case 'queue':
      return null // the button beside it removes it from the queue
  }
}
