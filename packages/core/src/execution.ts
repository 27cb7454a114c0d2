import { assertNever } from './assert-never.ts'
import type { Refused } from './bead.ts'
import type { BeadStatus } from './bead.ts'
import type { BeadId, ExecutionId, ProjectId } from './ids.ts'

export const executionStates = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'BLOCKED', 'TIMEOUT', 'CANCELLED'] as const
export type ExecutionState = (typeof executionStates)[number]

export const terminalStates = ['COMPLETED', 'FAILED', 'BLOCKED', 'TIMEOUT', 'CANCELLED'] as const
export type TerminalState = (typeof terminalStates)[number]
export const isTerminal = (state: ExecutionState): state is TerminalState =>
  (terminalStates as readonly string[]).includes(state)

export const failureReasons = [
  'tests_failed',
  'verification_exhausted',
  'push_conflict',
  'subtask_failed',
  'phase_review_failed',
  'plan_invalid',
  'infra_error',
  'retries_exhausted',
  'turn_limit',
  'orchestrator_restart',
  'budget_exhausted',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** `wall_clock`: the deadline since RUNNING; `silence`: no output for the inactivity limit. */
export const timeoutReasons = ['wall_clock', 'silence'] as const
export type TimeoutReason = (typeof timeoutReasons)[number]

export type ExecutionKind = 'work' | 'review'

/**
 * How an execution ended. `detail` is a sentence for people: what happened, and what to do next.
 */
export type ExecutionEnd =
  | { state: 'COMPLETED'; commit: string; detail: string }
  | { state: 'FAILED'; reason: FailureReason; detail: string }
  | { state: 'BLOCKED'; blockedReason: string; detail: string }
  | { state: 'TIMEOUT'; reason: TimeoutReason; detail: string }
  | { state: 'CANCELLED'; detail: string }

/** The record as the store keeps it and the API shows it. Times are integer milliseconds UTC. */
export type Execution = {
  id: ExecutionId
  project: ProjectId
  bead: BeadId
  kind: ExecutionKind
  state: ExecutionState
  /** Failure or timeout reason, null in every other state. */
  reason: FailureReason | TimeoutReason | null
  /** A sentence for people about the end; empty while the execution lives. */
  detail: string
  /** The agent's own words behind `BLOCKED:`, null in every other state. */
  blockedReason: string | null
  branch: string
  /** The commit the branch started from, and the verified commit; null until known. */
  baseCommit: string | null
  commit: string | null
  /** Free text that the person gave when queueing (section ADDITIONAL CONTEXT of the prompt). */
  context: string
  /** The bead's status before this execution started, for CANCELLED. */
  formerBeadStatus: BeadStatus
  attempt: number
  maxAttempts: number
  tokens: { input: number; output: number }
  queuedAt: number
  startedAt: number | null
  endedAt: number | null
  /** Wall-clock end of the deadline, set with RUNNING. */
  deadlineAt: number | null
  cancelRequestedAt: number | null
}

export type ExecutionEvent = { type: 'started' } | { type: 'ended'; end: ExecutionEnd }

/** What may follow what; the store's guarded SQL and the dashboard's buttons read this table too. */
export const nextStates: Record<ExecutionState, readonly ExecutionState[]> = {
  QUEUED: ['RUNNING', 'CANCELLED'],
  RUNNING: ['COMPLETED', 'FAILED', 'BLOCKED', 'TIMEOUT', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  BLOCKED: [],
  TIMEOUT: [],
  CANCELLED: [],
}

export const canMove = (from: ExecutionState, to: ExecutionState): boolean => nextStates[from].includes(to)
export const statesBefore = (to: ExecutionState): ExecutionState[] =>
  executionStates.filter((from) => canMove(from, to))

export const canCancel = (state: ExecutionState): boolean => canMove(state, 'CANCELLED')

export function transitionExecution(state: ExecutionState, event: ExecutionEvent): ExecutionState | Refused {
  const next = targetOf(event)
  return canMove(state, next) ? next : { refused: `an execution that is ${state} cannot become ${next}` }
}

function targetOf(event: ExecutionEvent): ExecutionState {
  switch (event.type) {
    case 'started':
      return 'RUNNING'
    case 'ended':
      return event.end.state
    default:
      return assertNever(event)
  }
}
