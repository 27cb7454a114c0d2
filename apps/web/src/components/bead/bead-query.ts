import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { getBead } from '../../api/endpoints.ts'
import type { BoardView } from '../../feed/board-fold.ts'

/** Everything about a bead, over HTTP. Its key changes as soon as the feed shows that the answer has. */
export function beadQuery(project: string, id: string, view: BoardView | null) {
  const card = view?.beads.get(id)
  const live = card?.execution ? view?.executions.get(card.execution) : undefined
  return {
    queryKey: [
      'bead',
      project,
      id,
      card?.updatedAt ?? 0,
      card?.execution ?? '',
      live?.state ?? '',
      // The tracker may refuse a change made here without another change of the bead.
      card?.refused?.map(({ field, why }) => `${field} ${why}`).join() ?? '',
    ] as const,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<BeadView> => getBead(project, id, signal),
  }
}
