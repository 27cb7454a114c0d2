import type { ChangeBead, NewBead } from '@beadloom/core/api/beads/bead-requests.ts'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { transitionBead, type BeadEvent } from '@beadloom/core/records/bead.ts'
import { parseBeadId, type BeadId, type ProjectId } from '@beadloom/core/records/ids.ts'
import { Problem } from '../../ports/problem.ts'
import type { Once } from '../../ports/once.ts'
import type { Store } from '../../ports/store.ts'
import type { TrackedBead } from '../../ports/store/beads.ts'
import type { Clock } from '../../process/clock.ts'
import type { Scheduler } from '../../scheduler/scheduler.ts'
import { editBead } from './bead-edits.ts'
import { noBead, noProject, unknownBeads } from '../../app/stored/refusals.ts'
import type { ServerViews } from '../../app/views/views.ts'

type WordedBead = Omit<NewBead, 'type'> & { type?: string | undefined }

export type BeadCommandDeps = {
  store: Store
  views: ServerViews
  scheduler: Scheduler
  clock: Clock
  /** In [0, 1). */
  random: () => number
}

export function changeBead(
  { store, views, scheduler }: BeadCommandDeps,
  project: ProjectId,
  id: BeadId,
  { status, dismiss, ...change }: ChangeBead,
): BeadView | Problem {
  const bead = store.bead(project, id)
  if (!bead) return store.project(project) ? noBead(project, id) : noProject(project)
  const event: BeadEvent | null = status === undefined ? null : { type: status === 'done' ? 'closed' : 'reopened' }
  // Before anything is written, so that all of it is done or nothing.
  const next = event === null ? bead.status : transitionBead(bead.status, event)
  if (typeof next === 'object') return new Problem(409, 'not_now', next.refused)
  const refused = editBead(store, bead, change)
  if (refused) return refused
  if (dismiss) store.dismissEdits(project, id, dismiss)
  const moved = event === null ? next : store.moveBead(project, id, event)
  if (typeof moved === 'object') return new Problem(409, 'not_now', moved.refused)
  scheduler.nudge()
  return views.beadInFull(project, id) ?? noBead(project, id)
}

/** @param input the bead of a person, whose texts were checked, or one that Beadloom words itself */
export function addBead(deps: BeadCommandDeps, project: ProjectId, input: WordedBead, once: Once): BeadView | Problem {
  const { store, clock, scheduler } = deps
  if (!store.project(project)) return noProject(project)
  if (once.before !== null) return made(deps, project, once.before as BeadId)
  const dependsOn = [...new Set(input.dependsOn)]
  const unknown = unknownBeads(store, project, dependsOn)
  if (unknown) return unknown
  const id = newBeadId(deps, project)
  const now = clock.now()
  const bead: TrackedBead = {
    project,
    id,
    title: input.title.trim(),
    description: input.description ?? '',
    status: 'open',
    trackerStatus: 'open',
    priority: input.priority ?? 2,
    type: input.type ?? 'task',
    labels: input.labels ?? [],
    dependencies: dependsOn.map((target) => ({ dependsOn: target, type: 'blocks' })),
    createdAt: now,
    updatedAt: now,
    deferUntil: null,
    pinned: false,
    ephemeral: false,
    template: false,
    raw: null,
  }
  once.make(
    () => store.addBead(bead),
    () => id,
  )
  scheduler.nudge()
  return made(deps, project, id)
}

const made = ({ views }: BeadCommandDeps, project: ProjectId, id: BeadId): BeadView | Problem =>
  views.beadInFull(project, id) ?? noBead(project, id)

/** The prefix of most of the project's beads, and eight characters with a letter and a digit, as `bd` wants them. */
function newBeadId({ store, random }: BeadCommandDeps, project: ProjectId): BeadId {
  const counts = new Map<string, number>()
  for (const { id } of store.beads(project)) {
    const prefix = id.slice(0, Math.max(0, id.lastIndexOf('-')))
    if (prefix) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  }
  const prefix = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? project
  for (;;) {
    const token = Array.from({ length: 6 }, () => Math.floor(random() * 36).toString(36)).join('')
    const id = parseBeadId(`${prefix}-${token}b4`)
    if (!store.bead(project, id)) return id
  }
}
