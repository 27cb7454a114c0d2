import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView, FollowUpView } from '@beadloom/core/api/executions/execution-api.ts'
import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import type { Lane } from '@beadloom/core/board/board-card.ts'

/** Leftovers of earlier executions of a bead that is done: open beads that were filed because of their ends. */
export function leftOver(
  status: BeadView['status'],
  executions: readonly Pick<ExecutionView, 'followUps'>[],
  isDone: (followUp: FollowUpView) => boolean = (one) => one.status === 'done',
): FollowUpView[] {
  if (status !== 'done') return []
  const open = executions.flatMap(({ followUps }) => followUps).filter((one) => !isDone(one))
  return [...new Map(open.map((one) => [one.bead, one])).values()]
}

/** The bead for which this one was filed, if that bead's state decides what to do about this one. */
export type Origin = { bead: string; state: 'done' | 'blocked' }

/**
 * Null for beads that are work of their own. That includes the issues of a review, which outlive the bead in which they
 * were found. `laneOf`: the board's newer knowledge of a bead, compared to what was read with this one.
 */
export function originOf(
  { status, labels, dependencies }: Pick<BeadView, 'status' | 'labels' | 'dependencies'>,
  laneOf: (bead: string, status: BeadStatus) => Lane | null,
): Origin | null {
  if (status === 'done' || !labels.includes('beadloom') || labels.includes('review')) return null
  const origin = dependencies.find(({ type }) => type === 'discovered-from')
  if (origin === undefined || origin.status === 'missing') return null
  const lane = laneOf(origin.id, origin.status)
  if (lane === 'completed') return { bead: origin.id, state: 'done' }
  return lane === 'blocked' ? { bead: origin.id, state: 'blocked' } : null
}
