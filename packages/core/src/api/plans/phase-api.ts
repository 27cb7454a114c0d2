import type { SessionId } from '../../records/ids.ts'
import type { PhaseRole } from '../../plan/phase-step.ts'
import type { PhaseStatus } from '../../plan/plan-tree.ts'
import type { SubtaskType } from '../../records/plan.ts'

/** The present activity of a phase; `mending`: a session that repairs it after failed checks. */
export type PhaseActivity = 'subtasks' | 'checks' | 'mending' | 'review'

/** A phase of an execution that works by a plan. Times are integer milliseconds UTC. */
export type PhaseView = {
  number: number
  status: PhaseStatus
  /** Null unless it is running. */
  activity: PhaseActivity | null
  /** The attempt at the phase, from 1; 0 before it begins. */
  attempt: number
  /** The commit where it began, and its approved commit. */
  prePhaseCommit: string | null
  commit: string | null
  /** The earlier execution that did it; null: this one. */
  from: string | null
  startedAt: number | null
  endedAt: number | null
  subtasks: PhaseSubtaskView[]
  /**
   * Its trees in order: left by subtasks or by a session that mends, each with the checks' and the reviewer's verdict.
   */
  trees: PhaseTreeView[]
  /** The reviewer's last verdict; null: none yet. */
  review: PhaseReview | null
  /** All its sessions in order: of agents and of its checks. */
  sessions: PhaseSessionView[]
  /** The summary that later phases get; '' until it is approved. */
  summary: string
}

export type PhaseReview = { approved: boolean; text: string }

export type PhaseTreeView = {
  /** The attempt of the execution's sessions and verifications. */
  attempt: number
  /** The attempt at the phase, from 1. */
  phaseAttempt: number
  kind: 'subtasks' | 'fix'
  /** Null until it is made, and if nothing was changed. */
  commit: string | null
  passed: boolean | null
  /** The newest outcome of each check. */
  checks: PhaseCheckView[]
  review: PhaseReview | null
}

export type PhaseCheckView = {
  name: string
  passed: boolean
  /** In words: "12 tests passed". */
  summary: string
  session: SessionId
  /** Null if its tool does not count tests. */
  tests: PhaseTests | null
}

/** `added`: the number beyond those after the previous phase; null: not known. */
export type PhaseTests = { collected: number; passing: number; failing: number; added: number | null }

export type PhaseSubtaskView = {
  id: string
  title: string
  type: SubtaskType
  status: PhaseStatus
  /** The attempt at its phase that the other fields describe; 0 before it begins. */
  attempt: number
  /** Its newest session, which has the log. */
  session: SessionId | null
  startedAt: number | null
  endedAt: number | null
  /** Why it failed. */
  error: string | null
}

/** A session of a phase. Times, tokens and outcome are in the execution's session with this id. */
export type PhaseSessionView = {
  id: SessionId
  role: PhaseRole | 'check'
  /** '' unless it is a subtask's session. */
  subtask: string
  /** The attempt at the phase, from 1. */
  phaseAttempt: number
}

/** An execution's progress in its plan: the phase that runs, the one that failed, or the last one. */
export type PhaseProgress = {
  phase: number
  of: number
  status: PhaseStatus
  activity: PhaseActivity | null
  attempt: number
  /** The number of that phase's subtasks that are done. */
  done: number
  subtasks: number
}
