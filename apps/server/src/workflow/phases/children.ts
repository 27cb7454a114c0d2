import { hasEnded } from '@beadloom/core/bead/waiting.ts'
import type { PhaseHistory } from '@beadloom/core/plan/phase-step.ts'
import type { Subtask } from '@beadloom/core/plan/plan.ts'
import type { BeadId } from '@beadloom/core/ids.ts'
import { storedOf, warn, type LiveExecution } from '../../execution/live-execution.ts'

/** Whether the plan is the children of an epic: each subtask is a bead of its own. */
function isOfChildren(live: LiveExecution): boolean {
  const { deps, project, bead } = live
  return deps.store.plan(project.id, bead.id, storedOf(live).planVersion)?.source === 'tracker'
}

/** Children that a person has closed before they began are left out, and those that have left the tracker. */
export async function skipClosed(live: LiveExecution, subtasks: readonly Pick<Subtask, 'id'>[]): Promise<void> {
  if (!isOfChildren(live)) return
  const { store } = live.deps
  const known = new Set([
    ...store.skippedSubtasks(live.id),
    ...store.phaseSessions(live.id).map(({ subtask }) => subtask),
  ])
  for (const { id } of subtasks) {
    const child = store.bead(live.project.id, id as BeadId)
    // One that has left the tracker is nobody's work any more.
    if (known.has(id) || (child && !hasEnded(child))) continue
    await store.skipSubtask(live.id, id)
    const why = child ? 'was closed before it began' : 'is no longer in the tracker'
    await warn(live, `${id} ${why}, so it is left out of the plan of ${live.bead.id}`)
  }
}

/**
 * Tells of a child that somebody has reopened after its phase was done: nothing of this execution looks at it any more.
 *
 * @param told children that were told already; others are added
 */
export async function tellReopened(
  live: LiveExecution,
  { plan, phases }: PhaseHistory,
  told: Set<string>,
): Promise<void> {
  if (!isOfChildren(live)) return
  const done = phases.flatMap(({ number, commit }) => (commit === null ? [] : (plan[number - 1] ?? [])))
  for (const { id } of done) {
    const child = live.deps.store.bead(live.project.id, id as BeadId)
    if (!child || hasEnded(child) || told.has(id)) continue
    told.add(id)
    const text = `${id} was reopened after its phase was done: this execution does no more of it. Run it by itself, or the epic again, when this one has ended`
    await warn(live, text)
  }
}

/** Children whose phase is approved are done. Safe to repeat. */
export async function closeChildren(live: LiveExecution, subtasks: readonly Pick<Subtask, 'id'>[]): Promise<void> {
  if (!isOfChildren(live)) return
  const { store } = live.deps
  for (const { id } of subtasks) {
    const child = store.bead(live.project.id, id as BeadId)
    if (child && !hasEnded(child)) await store.moveBead(live.project.id, child.id, { type: 'closed' })
  }
}
