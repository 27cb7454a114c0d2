import { childNews, isToClose, whyLeftOut } from '@beadloom/core/plan/child-news.ts'
import type { PhaseHistory } from '@beadloom/core/plan/phase-step.ts'
import type { Plan, Subtask } from '@beadloom/core/records/plan.ts'
import type { BeadId } from '@beadloom/core/records/ids.ts'
import type { EventPart } from '../../ports/store/events.ts'
import { storedOf, warn, type LiveExecution } from '../../execution/live-execution.ts'

/** The plan of an epic's children, in which each subtask is a bead of its own; null: it is no such plan. */
function planOfChildren(live: LiveExecution): Plan | null {
  const { deps, project, bead } = live
  const stored = deps.store.plan(project.id, bead.id, storedOf(live).planVersion)
  return stored?.source === 'tracker' ? stored.plan : null
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
    const why = known.has(id) ? null : whyLeftOut(id, child, live.bead.id)
    if (why === null) continue
    await store.skipSubtask(live.id, id)
    await warn(live, why)
  }
}

/**
 * Reports children whose phase is done and that somebody has reopened, changed or removed: this execution no
 * longer looks at them. Each is reported once.
 */
export async function tellChanged(live: LiveExecution, history: PhaseHistory): Promise<void> {
  const ofChildren = planOfChildren(live)
  if (ofChildren === null) return
  const { store } = live.deps
  const skipped = new Set(store.skippedSubtasks(live.id))
  const done = history.phases.flatMap(({ number, commit }) => (commit === null ? [] : (history.plan[number - 1] ?? [])))
  const news = done.flatMap(({ id }) => {
    const text = skipped.has(id) ? null : childNews(id, store.bead(live.project.id, id as BeadId), ofChildren)
    return text === null ? [] : [{ child: id, text }]
  })
  if (news.length === 0) return
  const told = toldBefore(live)
  for (const one of news) if (!told.has(one.child)) await store.addEvent(live.id, null, 'warning', one)
}

/** The children that were reported already, by the stored events: another server may have done that. */
function toldBefore({ id, deps: { store } }: LiveExecution): Set<string> {
  const told = new Set<string>()
  for (let after: number | null = 0; after !== null;) {
    const part: EventPart = store.eventPart(id, after, { types: ['warning'], most: 10_000, characters: 1_000_000 })
    for (const { session, data } of part.rows) {
      const { child } = data as { child?: unknown }
      if (session === null && typeof child === 'string') told.add(child)
    }
    after = part.next
  }
  return told
}

/** Closes the children of approved phases, except those whose texts have changed. Safe to repeat. */
export async function closeChildren(live: LiveExecution, subtasks: readonly Pick<Subtask, 'id'>[]): Promise<void> {
  const ofChildren = planOfChildren(live)
  if (ofChildren === null) return
  const { store } = live.deps
  for (const { id } of subtasks) {
    const child = store.bead(live.project.id, id as BeadId)
    if (isToClose(ofChildren, child)) await store.moveBead(live.project.id, child.id, { type: 'closed' })
  }
}
