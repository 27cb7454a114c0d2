import type { SessionId } from '../ids.ts'
import type { PhaseRole } from '../plan/phase-step.ts'
import type { PhaseStatus } from '../plan/plan-tree.ts'
import type { SubtaskType } from '../plan/plan.ts'

/** What is done about a phase at the moment; `mending`: a session that follows failed checks. */
export type PhaseActivity = 'subtasks' | 'checks' | 'mending' | 'review'

/** A phase of an execution that works by a plan. Times are integer milliseconds UTC. */
export type PhaseView = {
  number: number
  status: PhaseStatus
  /** Null unless it is running. */
  activity: PhaseActivity | null
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
  /** Its trees in order: what subtasks or a session that mends left, what the checks and the reviewer said about it. */
  trees: PhaseTreeView[]
  /** What its reviewer said last; null: nothing yet. */
  review: PhaseReview | null
  /** Every session of it, in order: those of agents, and those of its checks. */
  sessions: PhaseSessionView[]
  /** What later phases are told about it; '' until it is approved. */
  summary: string
}

export type PhaseReview = { approved: boolean; text: string }

export type PhaseTreeView = {
  /** That of the execution's sessions and verifications. */
  attempt: number
  /** The attempt at the phase, from 1. */
  phaseAttempt: number
  kind: 'subtasks' | 'fix'
  /** Null until it is made, and where nothing was changed. */
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
  /** Null where its tool does not count tests. */
  tests: PhaseTests | null
}

/** `added`: how many more than after the phase before; null where that is not known. */
export type PhaseTests = { collected: number; passing: number; failing: number; added: number | null }

export type PhaseSubtaskView = {
  id: string
  title: string
  type: SubtaskType
  status: PhaseStatus
  /** The attempt at its phase to which the rest belongs; 0 before it begins. */
  attempt: number
  /** Its newest session, where the log is. */
  session: SessionId | null
  startedAt: number | null
  endedAt: number | null
  /** Why it failed. */
  error: string | null
}

/** Times, tokens and outcome are those of the execution's session with this id. */
export type PhaseSessionView = {
  id: SessionId
  role: PhaseRole | 'check'
  /** '' unless it is that of a subtask. */
  subtask: string
  /** The attempt at the phase, from 1. */
  phaseAttempt: number
}

/** Where an execution is in its plan: the phase that runs, the one that failed, or the last one. */
export type PhaseProgress = {
  phase: number
  of: number
  status: PhaseStatus
  activity: PhaseActivity | null
  attempt: number
  /** Of that phase's subtasks. */
  done: number
  subtasks: number
}
