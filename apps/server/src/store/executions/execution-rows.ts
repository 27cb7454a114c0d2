import type { Execution, ExecutionEnd, StopPending } from '@beadloom/core/records/execution.ts'
import type { Pause } from '@beadloom/core/records/pause.ts'
import type { BudgetWait } from '@beadloom/core/budget/wait.ts'
import { waitAmong, type PendingPush, type PhaseWait, type Wait } from '@beadloom/core/records/wait.ts'
import { isKnown, oddText } from '../odd-rows.ts'
import { toTokenUse, type TokenColumns } from './token-use.ts'

/**
 * How a field is stored: as it is (`value`) or as JSON, where null is the field's own null, or no field (`optional`,
 * `optionalJson`); or as 1 for true, and anything else is no field (`flag`).
 */
type Form = 'value' | 'optional' | 'json' | 'optionalJson' | 'flag'

/** `waitFields` reads these. */
type Waits = 'waits' | 'continuedAfter' | 'paused' | 'pauseAsked' | 'stopPending'
type Plain = Exclude<keyof Execution, Waits | 'retryCount' | 'tokens'>

/** The column of each field and its form: a new column is added here, and nowhere else. */
const columns = {
  id: ['id', 'value'],
  project: ['project', 'value'],
  bead: ['bead', 'value'],
  kind: ['kind', 'value'],
  state: ['state', 'value'],
  reason: ['reason', 'value'],
  failureKind: ['failure_kind', 'optional'],
  detail: ['detail', 'value'],
  blockedReason: ['blocked_reason', 'value'],
  branch: ['branch', 'value'],
  baseCommit: ['base_commit', 'value'],
  commit: ['verified_commit', 'value'],
  context: ['context', 'value'],
  notice: ['notice', 'value'],
  chosen: ['chosen', 'optionalJson'],
  course: ['course', 'optionalJson'],
  checksFirst: ['checks_first', 'flag'],
  byAutopilot: ['by_autopilot', 'flag'],
  planVersion: ['plan_version', 'optional'],
  fromPhase: ['from_phase', 'optional'],
  redGreen: ['red_green', 'optionalJson'],
  formerBeadStatus: ['former_bead_status', 'value'],
  formerFailed: ['former_failed', 'flag'],
  attempt: ['attempt', 'value'],
  maxAttempts: ['max_attempts', 'value'],
  retry: ['retry', 'json'],
  retryAttempt: ['retry_attempt', 'value'],
  maxSessions: ['max_sessions', 'value'],
  flags: ['flags', 'json'],
  diffSize: ['diff_size', 'json'],
  elapsedMs: ['elapsed_ms', 'value'],
  tookMs: ['took_ms', 'optional'],
  queuedAt: ['queued_at', 'value'],
  startedAt: ['started_at', 'value'],
  endedAt: ['ended_at', 'value'],
  deadlineAt: ['deadline_at', 'value'],
  cancelRequestedAt: ['cancel_requested_at', 'value'],
} as const satisfies Record<Plain, readonly [column: string, form: Form]>

type Columns = typeof columns
type Kept<T> = null extends T ? null : never
type Stored<T, F extends Form> = {
  value: T
  optional: Exclude<T, undefined> | null
  json: string | Kept<T>
  optionalJson: string | null
  flag: number | null
}[F]
type FieldColumns = { [F in Plain as Columns[F][0]]: Stored<Execution[F], Columns[F][1]> }

export type ExecutionRow = FieldColumns &
  TokenColumns & {
    retry_at: number | null
    pending_push: string | null
    phase_wait: string | null
    pause_asked: number
    pause: string | null
    budget_wait: string | null
    stop_pending: string | null
    stop_reason: string | null
    answered_sessions: number
    /** The bead's texts at its start, and the project's settings then. */
    given: string | null
    settings: string | null
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
    waits: null,
  }
}

const table = Object.entries(columns) as [Plain, readonly [keyof FieldColumns, Form]][]

const executionOf = (row: ExecutionRow): Execution => {
  const fields: Record<string, unknown> = {}
  for (const [field, [column, form]] of table) {
    const stored = row[column]
    if (form === 'flag') {
      if (stored === 1) fields[field] = true
    } else if (form === 'value' || form === 'optional') {
      if (form === 'value' || stored !== null) fields[field] = stored
    } else if (stored !== null) fields[field] = JSON.parse(stored as string)
    else if (form === 'json') fields[field] = null
  }
  const plain = fields as Pick<Execution, Plain>
  return { ...plain, retryCount: plain.retry.retryCount, tokens: toTokenUse(row), ...waitFields(row) }
}

/** False and null are no field, where `Execution` leaves it out. */
type Empty = { optional: null; flag: boolean; value: never; json: never; optionalJson: never }
type Fields = { [F in Plain]?: Execution[F] | Empty[Columns[F][1]] }

/** The columns of some fields, as they are stored; undefined says nothing about its column. */
export function columnsOf(fields: Fields): Partial<FieldColumns> {
  const row: Record<string, unknown> = {}
  for (const [field, [column, form]] of table) {
    const value = fields[field]
    if (value === undefined) continue
    if (form === 'flag') row[column] = value === true ? 1 : null
    else row[column] = form === 'value' || form === 'optional' || value === null ? value : JSON.stringify(value)
  }
  return row
}

/** In stored form: `over` once it has continued. */
export type StoredWait = PhaseWait & { over: boolean }

export type WaitColumns = Pick<
  ExecutionRow,
  'retry_at' | 'pending_push' | 'phase_wait' | 'pause' | 'budget_wait' | 'ended_at'
>

const read = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T))

/** Null: nothing waits for it yet. */
const pausedBy = (stored: string | null): Pause | null => {
  const pause = read<Pause>(stored)
  return pause?.held ? pause : null
}

/** Nothing waits any more once it has ended. */
export function waitOf({ retry_at, pending_push, phase_wait, pause, budget_wait, ended_at }: WaitColumns): Wait | null {
  if (ended_at !== null) return null
  const { over = true, ...phase } = read<StoredWait>(phase_wait) ?? {}
  return waitAmong({
    retry: retry_at === null ? null : { at: retry_at },
    push: read<PendingPush>(pending_push),
    phase: over ? null : (phase as PhaseWait),
    pause: pausedBy(pause),
    budget: read<BudgetWait>(budget_wait),
  })
}

function waitFields(row: ExecutionRow): Pick<Execution, Waits> {
  const lives = row.ended_at === null
  const phase = read<StoredWait>(row.phase_wait)
  return {
    waits: waitOf(row),
    ...(phase?.over && { continuedAfter: phase.after }),
    ...(lives && row.pause !== null && { paused: JSON.parse(row.pause) as Pause }),
    ...(lives && row.pause_asked === 1 && { pauseAsked: true as const }),
    stopPending: lives ? read<StopPending>(row.stop_pending) : null,
  }
}

/** The columns that an end fills; `verified_commit` null keeps the stored one. */
export const endColumns = (
  end: ExecutionEnd,
): Pick<ExecutionRow, 'reason' | 'failure_kind' | 'detail' | 'blocked_reason' | 'verified_commit'> => ({
  reason: end.state === 'FAILED' || end.state === 'TIMEOUT' ? end.reason : null,
  failure_kind: end.state === 'FAILED' ? (end.kind ?? null) : null,
  detail: end.detail,
  blocked_reason: end.state === 'BLOCKED' ? end.blockedReason : null,
  verified_commit: end.state === 'COMPLETED' ? end.commit : null,
})
