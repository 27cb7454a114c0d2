import { hasEnded } from '../bead/waiting.ts'
import type { Bead } from '../records/bead.ts'
import type { Plan } from '../records/plan.ts'
import { changedIn } from './epic-plan.ts'

/*
 * The plan of an epic's children has a bead for each subtask. People close, reopen, change and remove these beads while
 * agents work on them.
 */

/** Some trackers keep a note of deleted beads, and Beadloom keeps a bead that has executions. */
const isRemoved = ({ trackerStatus }: Bead): boolean => trackerStatus === 'tombstone'

/** The texts of a child that somebody has changed since its epic was planned. */
function changedSincePlan({ subtasks }: Plan, child: Bead): string[] {
  const before = subtasks.find(({ id }) => id === child.id)
  return before === undefined ? [] : changedIn(before, child)
}

/** Why a child that has not begun is left out of its epic's plan; null: it is still to be done. */
export function whyLeftOut(id: string, child: Bead | null, epic: string): string | null {
  if (child && !hasEnded(child)) return null
  return `${id} ${whyNoWork(child)}, so it is left out of the plan of ${epic}`
}

function whyNoWork(child: Bead | null): string {
  if (child === null || isRemoved(child)) return 'is no longer in the tracker'
  return child.status === 'done' ? 'was closed before it began' : 'was pinned before it began'
}

/** Whether the child of an approved phase is closed: its texts are still those that were done. */
export const isToClose = (plan: Plan, child: Bead | null): child is Bead =>
  child !== null && !hasEnded(child) && changedSincePlan(plan, child).length === 0

/**
 * The news about a child whose phase is done: somebody has reopened, changed or removed it, and this execution no longer
 * looks at it. Null: it is closed, as it should be.
 */
export function childNews(id: string, child: Bead | null, plan: Plan): string | null {
  if (child === null || isRemoved(child))
    return `${id} left the tracker after its work had begun: the changes made for it stay in this work`
  if (hasEnded(child)) return null
  const changed = changedSincePlan(plan, child)
  const how =
    changed.length === 0
      ? `${id} was reopened after its phase was done: this execution does not work on it again`
      : `the ${changed.join(' and the ')} of ${id} changed after the plan was made: it was done as the plan says, and stays open`
  return `${how}. Run it by itself, or the epic again, when this one has ended`
}
