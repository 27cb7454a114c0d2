import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import type { BoardView } from '../../feed/board-fold.ts'
import { useBoard, useLive } from '../../feed/feed-context.tsx'
import { laneOf } from '@beadloom/core/board/board-card.ts'
import type { Lane } from '@beadloom/core/board/board-card.ts'
import { laneOfStatus } from './states.ts'

/**
 * The lanes of beads from the feed, which knows more than a status: a bead in progress may be running, or have failed.
 * `otherwise` is the status of a bead that the feed does not have (yet); without it, such a bead gives null.
 */
export function useLanes(project: string): (bead: string, otherwise?: BeadStatus) => Lane | null {
  const { view } = useBoard(project)
  return (bead, otherwise) => {
    return laneIn(view, bead) ?? (otherwise === undefined ? null : laneOfStatus[otherwise])
  }
}

/** The lane of one bead, on a page that follows the board; renders again only when it changes. */
export const useLane = (project: string, bead: string): Lane | null =>
  useLive(({ topics }) => laneIn(topics[`board:${project}`]?.view ?? null, bead))

function laneIn(view: BoardView | null, bead: string): Lane | null {
  const card = view?.beads.get(bead)
  return card === undefined
    ? null
    : laneOf(card, card.execution === null ? null : (view?.executions.get(card.execution) ?? null))
}
