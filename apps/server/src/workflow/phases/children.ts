import { hasEnded } from '@beadloom/core/bead/waiting.ts'
import type { Subtask } from '@beadloom/core/plan/plan.ts'
import type { BeadId } from '@beadloom/core/ids.ts'
import { storedOf, warn, type LiveExecution } from '../../execution/live-execution.ts'

/** Whether the plan is the children of an epic: each subtask is a bead of its own. */
function isOfChildren(live: LiveExecution): boolean {
  const { deps, project, bead } = live
  return deps.store.plan(project.id, bead.id, storedOf(live).planVersion)?.source === 'tracker'
}

/** Children that a person has closed before they began are left out. */
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
    await warn(live, `${id} was closed before it began, so it is left out of the plan of ${live.bead.id}`)
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
