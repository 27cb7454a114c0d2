import type { BeadStatus } from '@beadloom/core/bead.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import { laneOf } from '../../feed/lanes.ts'
import type { Lane } from '../../feed/lanes.ts'
import { laneOfStatus } from './states.ts'

/**
 * Where beads stand by the feed, which knows more than a status: one in progress may be running, or have failed.
 * `otherwise` is for a bead that the feed has not (yet); null without it.
 */
export function useLanes(project: string): (bead: string, otherwise?: BeadStatus) => Lane | null {
  const { view } = useBoard(project)
  return (bead, otherwise) => {
    const card = view?.beads.get(bead)
    if (!card) return otherwise === undefined ? null : laneOfStatus[otherwise]
    return laneOf(card, card.execution === null ? null : (view?.executions.get(card.execution) ?? null))
  }
}
