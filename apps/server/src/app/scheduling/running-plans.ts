import type { Execution } from '@beadloom/core/records/execution.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'

type Asked = Pick<Store, 'plan' | 'liveExecutions'>

/** Beads that are subtasks in the plan of a queued or running epic, each with that epic. */
export function partsOfPlans(
  store: Pick<Asked, 'plan'>,
  project: ProjectId,
  live: readonly Execution[],
): Map<BeadId, BeadId> {
  const parts = new Map<BeadId, BeadId>()
  for (const { project: its, bead, kind, planVersion } of live) {
    if (its !== project || kind !== 'work' || planVersion === undefined) continue
    const row = store.plan(project, bead, planVersion)
    if (row?.source === 'tracker') for (const { id } of row.plan.subtasks) parts.set(id as BeadId, bead)
  }
  return parts
}

/** The epic whose running plan has it as a part; null: none. */
export const partOf = (store: Asked, project: ProjectId, bead: BeadId): BeadId | null =>
  partsOfPlans(store, project, store.liveExecutions()).get(bead) ?? null
