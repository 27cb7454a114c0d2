import type { Subtask } from '../records/plan.ts'
import { overlap } from './touched-files.ts'

export type SubtaskStatus = 'pending' | 'running' | 'completed' | 'failed'

type InPhase = Pick<Subtask, 'id' | 'filesTouched'>

/**
 * The subtasks of a phase that start now, in the order of the plan. Subtasks that may touch the same file run one after
 * the other. Nothing more starts once one has failed.
 *
 * @param limit the most that may run at the same time
 * @param statuses a subtask without an entry is pending
 */
export function startsOf<T extends InPhase>(
  phase: readonly T[],
  statuses: ReadonlyMap<string, SubtaskStatus>,
  limit: number,
): T[] {
  const statusOf = ({ id }: T): SubtaskStatus => statuses.get(id) ?? 'pending'
  if (phase.some((one) => statusOf(one) === 'failed')) return []
  let room = limit - phase.filter((one) => statusOf(one) === 'running').length
  return phase.filter((one, at) => {
    if (room <= 0 || statusOf(one) !== 'pending') return false
    if (phase.slice(0, at).some((before) => statusOf(before) !== 'completed' && overlap(before, one))) return false
    room -= 1
    return true
  })
}

/**
 * The subtasks of its phase that this one follows, because both may touch the same file: it starts from their result.
 */
export function follows<T extends InPhase>(one: T, phase: readonly T[]): T[] {
  return phase.slice(0, phase.indexOf(one)).filter((before) => overlap(before, one))
}
