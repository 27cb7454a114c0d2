import type { Bead } from '@beadloom/core/bead/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/ids.ts'
import type { DispatchPlan, Reason } from '@beadloom/core/dispatch/plan-dispatch.ts'
import { readySet } from '@beadloom/core/bead/ready.ts'
import type { LiveIndex } from './live-index.ts'

const sameReason = (a: Reason | undefined, b: Reason | undefined): boolean => a?.code === b?.code && a?.text === b?.text

/** The scheduler's last plan, and which beads are ready: kept because every card shows it. */
export class PlanMemory {
  #index: LiveIndex
  #reasons: DispatchPlan['reasons'] = new Map()
  #ready = new Map<ProjectId, { version: number; at: number; ids: ReadonlySet<BeadId> }>()

  constructor(index: LiveIndex) {
    this.#index = index
  }

  reason(project: ProjectId, bead: BeadId): Reason | null {
    return this.#reasons.get(project)?.get(bead) ?? null
  }

  /** Ids of ready beads; computed once for each change of the project's beads, and each minute because of defer dates. */
  ready(project: ProjectId, now: number): ReadonlySet<BeadId> {
    const version = this.#index.version(project)
    const known = this.#ready.get(project)
    if (known && known.version === version && Math.abs(now - known.at) < 60_000) return known.ids
    const beads: Bead[] = [...this.#index.beads(project).values()]
    const ids = new Set(readySet(beads, now).map((bead) => bead.id))
    this.#ready.set(project, { version, at: now, ids })
    return ids
  }

  /** Takes a new plan and returns the beads whose reason has changed. */
  learn(plan: DispatchPlan): { project: ProjectId; beads: BeadId[] }[] {
    const former = this.#reasons
    this.#reasons = plan.reasons
    const projects = new Set([...former.keys(), ...plan.reasons.keys()])
    return [...projects].flatMap((project) => {
      const before = former.get(project) ?? new Map<BeadId, Reason>()
      const after = plan.reasons.get(project) ?? new Map<BeadId, Reason>()
      const beads = [...new Set([...before.keys(), ...after.keys()])].filter(
        (bead) => !sameReason(before.get(bead), after.get(bead)),
      )
      return beads.length > 0 ? [{ project, beads }] : []
    })
  }
}
