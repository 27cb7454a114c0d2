import type { BeadView, FollowUpView } from '../api/api.ts'

/**
 * The beads that were filed because of a bead's last execution, once they are all done while the bead itself is not:
 * whether that was all it wanted is for a person to say.
 */
export function finishedFollowUps({ status, executions }: Pick<BeadView, 'status' | 'executions'>): FollowUpView[] {
  const last = executions.find(({ kind }) => kind === 'work')
  if (status === 'done' || !last || last.followUps.some((one) => one.status !== 'done')) return []
  return last.followUps
}
