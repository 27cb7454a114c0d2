import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import { phasesOf } from '@beadloom/core/plan/phases.ts'
import type { Store } from '../../ports/store.ts'

type Wanted = { project: ProjectId; bead: BeadId; version: number | null; from: number }

/** Why work cannot begin at this phase of a bead's plan; null: it can. */
export function whyNotFrom(
  store: Pick<Store, 'plan' | 'donePhase'>,
  { project, bead, version, from }: Wanted,
): string | null {
  const plan = version === null ? null : store.plan(project, bead, version)
  if (version === null || plan === null) return `${bead} is not done by a plan, so it has no phase ${from}`
  const { length } = phasesOf(plan.plan.subtasks)
  if (from > length) return `the plan of ${bead} has ${length} phases, so it has no phase ${from}`
  for (let phase = 1; phase < from; phase++)
    if (store.donePhase(project, bead, version, phase) === null)
      return `phase ${from} of ${bead} cannot begin: phase ${phase} has not been approved yet. Begin at phase ${phase}: beadloom run ${bead} --from-phase ${phase}`
  return null
}
