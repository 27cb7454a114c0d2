import type { PlanSource, Subtask } from '../../records/plan.ts'

/** A plan as the board knows it. `phased`: it has at least two subtasks, so it is done phase by phase. */
export type PlanHead = { version: number; phased: boolean; approved: boolean }

/** One version of a bead's plan. Times are integer milliseconds UTC. */
export type PlanView = {
  project: string
  bead: string
  version: number
  /** The newest version of the same plan, which is the one that counts. */
  newest: number
  source: PlanSource
  /** The execution that planned it, and the commit that its architect saw; null: a person or the tracker made it. */
  execution: string | null
  commit: string | null
  goal: string
  planMarkdown: string
  subtasks: Subtask[]
  /** Ids of the subtasks of each phase, in order: computed from their dependencies. */
  phases: string[][]
  /** False: fewer than two subtasks, which are done in one session as if there were no plan. */
  phased: boolean
  /**
   * Legal properties that may surprise, in sentences: subtasks that wait for each other because they touch the same
   * files.
   */
  warnings: string[]
  madeAt: number
  approvedAt: number | null
}
