import type { ActionPlace, NewAction } from '../../ports/store/people/actions.ts'
import type { ActionLog } from '../routing/noted.ts'

export type NotedAction = NewAction & { done: boolean }

/** Notes people's actions in a list. */
export function memoryActions(list: NotedAction[]): ActionLog {
  const notes = new Map<number, NotedAction>()
  let last = 0
  const show = () => void list.splice(0, list.length, ...notes.values())
  return {
    beginAction(action) {
      notes.set(++last, { ...action, done: false })
      show()
      return last
    },
    endAction(id: number, place: ActionPlace) {
      const note = notes.get(id)
      if (note) notes.set(id, { ...note, ...place, done: true })
      show()
    },
    dropAction(id) {
      notes.delete(id)
      show()
    },
  }
}
