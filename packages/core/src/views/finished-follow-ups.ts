import type { BeadView } from '../api/beads/bead-api.ts'
import type { FollowUpView } from '../api/executions/execution-api.ts'

/**
 * The follow-ups of a bead's last execution, once all of them are done and the bead itself is not. A person decides
 * whether that finishes the bead.
 */
export function finishedFollowUps({ status, executions }: Pick<BeadView, 'status' | 'executions'>): FollowUpView[] {
  const last = executions.find(({ kind }) => kind === 'work')
  if (status === 'done' || !last || last.followUps.some((one) => one.status !== 'done')) return []
  return last.followUps
}
