import type { PlanHead } from '@beadloom/core/api/plans/plan-api.ts'
import type { Plan, PlanSource } from '@beadloom/core/records/plan.ts'
import type { Refused } from '@beadloom/core/records/bead.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'

/** Plans of beads, in versions. A version never changes; the newest one counts. */
export interface PlanStore {
  /** The newest version, or one of them; null: there is none. */
  plan(project: ProjectId, bead: BeadId, version?: number): PlanRow | null
  /** The board's facts about the newest versions: for all beads of a project that have a plan, or for one. */
  planHeads(project: ProjectId, bead?: BeadId): Map<BeadId, PlanHead>
  /**
   * Adds a version, or returns the newest one if it is the same plan. Refused if `onto` is given and is not the newest
   * version (0: there is none yet).
   */
  addPlan(plan: NewPlan): PlanRow | Refused
  /** Notes that somebody wants it done; safe to repeat. Refused for a version that is not the newest. */
  approvePlan(project: ProjectId, bead: BeadId, version: number): PlanRow | Refused
}

export type NewPlan = {
  project: ProjectId
  bead: BeadId
  source: PlanSource
  plan: Plan
  /** The execution that planned it, and the commit that it saw. */
  by?: { execution: ExecutionId; commit: string }
  onto?: number
}

/** Times are integer milliseconds UTC. */
export type PlanRow = {
  project: ProjectId
  bead: BeadId
  version: number
  source: PlanSource
  execution: ExecutionId | null
  commit: string | null
  plan: Plan
  madeAt: number
  approvedAt: number | null
}
