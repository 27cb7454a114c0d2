import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import type {
  DiffSize,
  Execution,
  ExecutionEnd,
  ExecutionFlag,
  ExecutionKind,
  ExecutionState,
  PendingPush,
  PhaseWait,
  RunChoice,
  StopPending,
} from '@beadloom/core/records/execution.ts'
import type { BudgetWait } from '@beadloom/core/budget/wait.ts'
import type { FailureKind } from '@beadloom/core/records/failure/failure.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { RedGreen } from '@beadloom/core/records/red-green.ts'
import type { RetryPolicy } from '@beadloom/core/records/retry.ts'
import { isKnown, oddText } from '../odd-rows.ts'
import { toTokenUse, type TokenColumns } from './token-use.ts'

export type ExecutionRow = TokenColumns & {
  id: ExecutionId
  project: ProjectId
  bead: BeadId
  kind: ExecutionKind
  state: ExecutionState
  reason: Execution['reason']
  detail: string
  blocked_reason: string | null
  branch: string
  base_commit: string | null
  verified_commit: string | null
  context: string
  former_bead_status: BeadStatus
  attempt: number
  max_attempts: number
  queued_at: number
  started_at: number | null
  ended_at: number | null
  deadline_at: number | null
  cancel_requested_at: number | null
  retry: string
  retry_attempt: number
  answered_sessions: number
  retry_at: number | null
  max_sessions: number
  flags: string
  pending_push: string | null
  elapsed_ms: number
  took_ms: number | null
  stop_reason: string | null
  given: string | null
  diff_size: string | null
  chosen: string | null
  notice: string | null
  stop_pending: string | null
  settings: string | null
  checks_first: number | null
  by_autopilot: number | null
  red_green: string | null
  failure_kind: FailureKind | null
  former_failed: number
  plan_version: number | null
  phase_wait: string | null
  pause_asked: number
  from_phase: number | null
  budget_wait: string | null
}

/** Null: this version knows its words. */
export function oddityOf({ state, kind }: Pick<ExecutionRow, 'state' | 'kind'>): string | null {
  if (!isKnown('execution.state', state)) return oddText('execution.state', state)
  return isKnown('execution.kind', kind) ? null : oddText('execution.kind', kind)
}

/** An execution with unknown words is shown as failed: nobody can say what else it is. */
export function toExecution(row: ExecutionRow): Execution {
  const odd = oddityOf(row)
  if (odd === null) return executionOf(row)
  return {
    ...executionOf(row),
    kind: isKnown('execution.kind', row.kind) ? row.kind : 'work',
    state: 'FAILED',
    reason: 'infra_error',
    detail: odd,
    endedAt: row.ended_at ?? row.started_at ?? row.queued_at,
    retryAt: null,
    pendingPush: null,
  }
}

const executionOf = (row: ExecutionRow): Execution => {
  const retry = JSON.parse(row.retry) as RetryPolicy
  return {
    id: row.id,
    project: row.project,
    bead: row.bead,
    kind: row.kind,
    state: row.state,
    reason: row.reason,
    detail: row.detail,
    blockedReason: row.blocked_reason,
    branch: row.branch,
    baseCommit: row.base_commit,
    commit: row.verified_commit,
    context: row.context,
    notice: row.notice,
    ...(row.chosen !== null && { chosen: JSON.parse(row.chosen) as RunChoice }),
    ...(row.checks_first === 1 && { checksFirst: true }),
    ...(row.by_autopilot === 1 && { byAutopilot: true as const }),
    ...(row.plan_version !== null && { planVersion: row.plan_version }),
    ...(row.from_phase !== null && { fromPhase: row.from_phase }),
    ...waitOf(row),
    ...(row.budget_wait !== null && row.ended_at === null && { budgetWait: JSON.parse(row.budget_wait) as BudgetWait }),
    ...(row.red_green !== null && { redGreen: JSON.parse(row.red_green) as RedGreen }),
    formerBeadStatus: row.former_bead_status,
    ...(row.former_failed === 1 && { formerFailed: true as const }),
    ...(row.failure_kind !== null && { failureKind: row.failure_kind }),
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    retry,
    retryCount: retry.retryCount,
    retryAttempt: row.retry_attempt,
    retryAt: row.retry_at,
    maxSessions: row.max_sessions,
    flags: JSON.parse(row.flags) as ExecutionFlag[],
    pendingPush: row.pending_push === null ? null : (JSON.parse(row.pending_push) as PendingPush),
    elapsedMs: row.elapsed_ms,
    ...(row.took_ms !== null && { tookMs: row.took_ms }),
    diffSize: row.diff_size === null ? null : (JSON.parse(row.diff_size) as DiffSize),
    tokens: toTokenUse(row),
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    deadlineAt: row.deadline_at,
    cancelRequestedAt: row.cancel_requested_at,
    stopPending:
      row.stop_pending === null || row.ended_at !== null ? null : (JSON.parse(row.stop_pending) as StopPending),
  }
}

/** In stored form: `over` once it has continued. */
export type StoredWait = PhaseWait & { over: boolean }

function waitOf({ phase_wait, pause_asked, ended_at }: ExecutionRow) {
  const wait = phase_wait === null ? null : (JSON.parse(phase_wait) as StoredWait)
  const { after = 0, since = 0, continued = false, over = true } = wait ?? {}
  return {
    ...(!over && ended_at === null && { phaseWait: { after, since, continued } }),
    ...(wait && over && { continuedAfter: after }),
    ...(pause_asked === 1 && ended_at === null && { pauseAsked: true as const }),
  }
}

/** The columns that an end fills; `verified_commit` null keeps the stored one. */
export function endColumns(
  end: ExecutionEnd,
): Pick<ExecutionRow, 'reason' | 'failure_kind' | 'detail' | 'blocked_reason' | 'verified_commit'> {
  return {
    reason: end.state === 'FAILED' || end.state === 'TIMEOUT' ? end.reason : null,
    failure_kind: end.state === 'FAILED' ? (end.kind ?? null) : null,
    detail: end.detail,
    blocked_reason: end.state === 'BLOCKED' ? end.blockedReason : null,
    verified_commit: end.state === 'COMPLETED' ? end.commit : null,
  }
}
