import type { PhaseStatus } from '../plan/plan-tree.ts'
import type { SubtaskType } from '../plan/plan.ts'

/** A phase of an execution that works by a plan. Times are integer milliseconds UTC. */
export type PhaseView = {
  number: number
  status: PhaseStatus
  /** Which attempt at it, from 1; 0 before it begins. */
  attempt: number
  /** Where it began, and its approved commit. */
  prePhaseCommit: string | null
  commit: string | null
  /** The earlier execution that has done it; null: this one. */
  from: string | null
  startedAt: number | null
  endedAt: number | null
  subtasks: PhaseSubtaskView[]
  /** What its checks said of each tree, in order; `attempt` is that of the execution's verifications. */
  trees: {
    attempt: number
    kind: 'subtasks' | 'fix'
    commit: string | null
    passed: boolean | null
    checks: string[]
  }[]
  /** What its reviewer said last; null: nothing yet. */
  review: { approved: boolean; text: string } | null
  /** What later phases are told about it; '' until it is approved. */
  summary: string
}

export type PhaseSubtaskView = {
  id: string
  title: string
  type: SubtaskType
  status: PhaseStatus
  /** Its newest session, where the log is. */
  session: string | null
  startedAt: number | null
  endedAt: number | null
  /** Why it failed. */
  error: string | null
}
