import { oneLine } from '../text/one-line.ts'
import type { Subtask } from '../records/plan.ts'

/** `subtask 2b "Posts" (3 of 4)`: for sentences, because a plan may have two subtasks with the same title. */
export function subtaskWords(subtasks: readonly Pick<Subtask, 'id' | 'title'>[], id: string): string {
  const at = subtasks.findIndex((one) => one.id === id)
  const one = subtasks[at]
  return one
    ? `subtask ${oneLine(id)} "${oneLine(one.title)}" (${at + 1} of ${subtasks.length})`
    : `subtask ${oneLine(id)}`
}
