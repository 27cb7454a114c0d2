import { hasEnded } from '@beadloom/core/bead/waiting.ts'
import type { PhaseHistory } from '@beadloom/core/plan/phase-step.ts'
import { changedIn } from '@beadloom/core/plan/epic-plan.ts'
import type { Plan, Subtask } from '@beadloom/core/records/plan.ts'
import type { Bead } from '@beadloom/core/records/bead.ts'
import type { BeadId } from '@beadloom/core/records/ids.ts'
import { storedOf, warn, type LiveExecution } from '../../execution/live-execution.ts'

/** The plan of an epic's children, in which each subtask is a bead of its own; null: it is no such plan. */
function planOfChildren(live: LiveExecution): Plan | null {
  const { deps, project, bead } = live
  const stored = deps.store.plan(project.id, bead.id, storedOf(live).planVersion)
  return stored?.source === 'tracker' ? stored.plan : null
}

/** The texts of a child that somebody has changed since its epic was planned. */
function changedSincePlan({ subtasks }: Plan, child: Bead): string[] {
  const before = subtasks.find(({ id }) => id === child.id)
  return before === undefined ? [] : changedIn(before, child)
}

/** Leaves out children that a person has closed before they began, and those that have left the tracker. */
export async function skipClosed(live: LiveExecution, subtasks: readonly Pick<Subtask, 'id'>[]): Promise<void> {
  if (planOfChildren(live) === null) return
  const { store } = live.deps
  const known = new Set([
    ...store.skippedSubtasks(live.id),
    ...store.phaseSessions(live.id).map(({ subtask }) => subtask),
  ])
  for (const { id } of subtasks) {
    const child = store.bead(live.project.id, id as BeadId)
    // A child that has left the tracker is no longer work.
    if (known.has(id) || (child && !hasEnded(child))) continue
    await store.skipSubtask(live.id, id)
    const why = child ? 'was closed before it began' : 'is no longer in the tracker'
    await warn(live, `${id} ${why}, so it is left out of the plan of ${live.bead.id}`)
  }
}

/**
 * Reports children whose phase is done and that somebody has reopened, changed or removed: this execution no
 * longer looks at them.
 *
 * @param told children that were reported already; others are added
 */
export async function tellChanged(live: LiveExecution, history: PhaseHistory, told: Set<string>): Promise<void> {
  const ofChildren = planOfChildren(live)
  if (ofChildren === null) return
  const { store } = live.deps
  const skipped = new Set(store.skippedSubtasks(live.id))
  const done = history.phases.flatMap(({ number, commit }) => (commit === null ? [] : (history.plan[number - 1] ?? [])))
  for (const { id } of done) {
    const child = store.bead(live.project.id, id as BeadId)
    if (told.has(id) || skipped.has(id) || (child && hasEnded(child) && !isRemoved(child))) continue
    told.add(id)
    await warn(live, howItStands(id, child, ofChildren))
  }
}

/** Some trackers keep a note of deleted beads. */
const isRemoved = ({ status, trackerStatus }: Bead): boolean => status !== 'done' && trackerStatus === 'tombstone'

function howItStands(id: string, child: Bead | null, plan: Plan): string {
  if (child === null || isRemoved(child))
    return `${id} left the tracker while an agent worked on it: the changes made for it stay in this work`
  const changed = changedSincePlan(plan, child)
  const how =
    changed.length === 0
      ? `${id} was reopened after its phase was done: this execution does not work on it again`
      : `the ${changed.join(' and the ')} of ${id} changed after the plan was made: it was done as the plan says, and stays open`
  return `${how}. Run it by itself, or the epic again, when this one has ended`
}

/** Closes the children of approved phases, except those whose texts have changed. Safe to repeat. */
export async function closeChildren(live: LiveExecution, subtasks: readonly Pick<Subtask, 'id'>[]): Promise<void> {
  const ofChildren = planOfChildren(live)
  if (ofChildren === null) return
  const { store } = live.deps
  for (const { id } of subtasks) {
    const child = store.bead(live.project.id, id as BeadId)
    if (child && !hasEnded(child) && changedSincePlan(ofChildren, child).length === 0)
      await store.moveBead(live.project.id, child.id, { type: 'closed' })
  }
}
