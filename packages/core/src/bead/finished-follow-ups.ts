import type { BeadView, FollowUpView } from '../api/api.ts'

/**
 * The follow-ups of a bead's last execution, once all of them are done and the bead itself is not. Whether that
 * finishes the bead is for a person to say.
 */
export function finishedFollowUps({ status, executions }: Pick<BeadView, 'status' | 'executions'>): FollowUpView[] {
  const last = executions.find(({ kind }) => kind === 'work')
  if (status === 'done' || !last || last.followUps.some((one) => one.status !== 'done')) return []
  return last.followUps
}
