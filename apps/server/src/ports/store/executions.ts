import type { Refused } from '@beadloom/core/records/bead.ts'
import type {
  DiffSize,
  Execution,
  ExecutionEnd,
  ExecutionFlag,
  ExecutionState,
  RunChoice,
  StopPending,
} from '@beadloom/core/records/execution.ts'
import type { PendingPush } from '@beadloom/core/records/wait.ts'
import type { RedGreen } from '@beadloom/core/records/red-green.ts'
import type { RetryPolicy } from '@beadloom/core/records/retry.ts'
import type { SessionContext } from '@beadloom/core/context/context-gauge.ts'
import type { TokenUseRow, UseAmounts } from '@beadloom/core/api/budgets/token-use-api.ts'
import type { BeadUse, Waiting } from '@beadloom/core/tokens/usual-use.ts'
import type { HourUse } from '@beadloom/core/tokens/use-hours.ts'
import type { TokenUse } from '@beadloom/core/budget/token-use.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'

export interface ExecutionStore {
  /** Refused if the bead already has a live execution. */
  queueExecution(execution: NewExecution): Execution | Refused
  execution(id: ExecutionId): Execution | null
  executions(filter: ExecutionFilter): Execution[]
  liveExecutions(): Execution[]
  /**
   * QUEUED → RUNNING, with the bead's move to in_progress; refused if somebody else was first. `settings`: the
   * project's, which the execution keeps until its end.
   */
  startExecution(
    id: ExecutionId,
    deadlineAt: number,
    limits?: Pick<Execution, 'maxAttempts' | 'maxSessions'>,
    settings?: ProjectSettings | null,
  ): Execution | Refused
  /** The settings that it started with; null before its start, after its end, and if an older server started it. */
  startedSettings(id: ExecutionId): ProjectSettings | null
  /** Notes facts about a live execution. Counters are stored before the counted work starts. */
  noteExecution(id: ExecutionId, patch: ExecutionPatch): void
  /** The number of agent sessions when the last retry was decided; 0 before the first. */
  answeredSessions(id: ExecutionId): number
  /** Adds a flag, once; also possible after the execution has ended. */
  flagExecution(id: ExecutionId, flag: ExecutionFlag): void
  /** Notes the size of its change; also possible after the execution has ended. */
  noteDiffSize(id: ExecutionId, size: DiffSize): void
  /** Notes whether its tests fail without its change. */
  noteRedGreen(id: ExecutionId, fact: RedGreen): void
  /** Milliseconds spent in RUNNING. No listener is told. */
  noteElapsed(id: ExecutionId, elapsedMs: number): void
  /** Why a live execution is being stopped, before the first signal; the first reason is kept. */
  noteStop(id: ExecutionId, reason: unknown): void
  stopReason(id: ExecutionId): unknown
  /** The reason that keeps it from being stopped; null: none any more. */
  noteStopPending(id: ExecutionId, pending: StopPending | null): void
  requestCancel(id: ExecutionId): Execution | Refused
  /** Moves it to a terminal state, guarded; the bead moves later, in the terminal pipeline. */
  endExecution(id: ExecutionId, end: ExecutionEnd): Execution | Refused
}

export type NewExecution = {
  id: ExecutionId
  project: ProjectId
  bead: BeadId
  kind: Execution['kind']
  branch: string
  context: string
  maxAttempts: number
  /** Default: no retries. */
  retry?: RetryPolicy
  maxSessions?: number
  /** Default: the project's settings. */
  chosen?: RunChoice
  /** Default: it begins with an agent. */
  checksFirst?: boolean
  /** Default: a person asked for it. */
  byAutopilot?: boolean
  /** The version of its bead's plan that it works by; null, and by default: none. */
  planVersion?: number | null
  /** Default: the phase after those that earlier executions have done. */
  fromPhase?: number
}
export type ExecutionPatch = Partial<
  Pick<
    Execution,
    'branch' | 'baseCommit' | 'commit' | 'attempt' | 'maxAttempts' | 'maxSessions' | 'retryAttempt' | 'notice'
  >
> & {
  /** When its next retry is due, in milliseconds UTC; null: none is. */
  retryAt?: number | null
  /** Null: the remote has answered. */
  pendingPush?: PendingPush | null
  /** With a retry: how many agent sessions there were when it was decided. */
  answeredSessions?: number
}

export type ExecutionFilter = {
  project?: ProjectId
  bead?: BeadId
  state?: ExecutionState
  before?: number
  limit: number
}

/** The terminal pipeline: its steps are recorded, so that each is taken once even across a restart. */
export interface PipelineStore {
  pipelineDone(id: ExecutionId, step: PipelineStep): void
  pipelineSteps(id: ExecutionId): PipelineStep[]
  /** Terminal executions whose pipeline is not finished. */
  unfinishedPipelines(): Execution[]
}

export type PipelineStep = 'status' | 'bead' | 'sync' | 'cleanup'
export const pipelineOrder: readonly PipelineStep[] = ['status', 'bead', 'sync', 'cleanup']

/** Facts about a call that are stored beside its tokens. A missing one is unknown. */
export type CountedCall = {
  /** The session's context usage after the call. */
  context?: SessionContext | null
  model?: string
  /** The sub-agent that asked; '': the session's own. */
  agent?: string
  /** The source of its price; '': it has no price. */
  priceOf?: string
  /** Tokens without a known price; absent: all of them, unless the call has a cost. */
  unpriced?: number
  /** When its answer began to arrive, in milliseconds UTC. */
  answeredAt?: number
  /** Its tokens are estimated. */
  estimated?: boolean
}

export interface TokenStore {
  /**
   * Counts the tokens for the session, the execution and its project's day and hour, and notes how full the session's
   * context is now, all in one transaction.
   */
  addTokens(execution: ExecutionId, session: SessionId, use: TokenUse, call?: CountedCall): void
  /** A project's use since the calendar day (UTC) of `now` began; later days count if the clock jumped back. */
  tokensOfDay(project: ProjectId, now: number): TokenUse
  /** A project's use within a range (milliseconds UTC), the newest day first. */
  tokenUse(project: ProjectId, range: UseRange): TokenUseRow[]
  /** The same in all, hour by hour, the oldest first. */
  tokenHours(project: ProjectId, since: number): HourUse[]
  /** The use of its newest completed beads, at most `most`, if known; the newest first. */
  completedUse(project: ProjectId, most: number): BeadUse[]
  /** The use of its newest reviews with a result, at most `most`, if known. */
  reviewUse(project: ProjectId, most: number): UseAmounts[]
  /** The number of beads completed since then. */
  completedBeads(project: ProjectId, since: number): number
  /** Its executions that wait for a slot. */
  waitingTypes(project: ProjectId): Waiting[]
}

/** Default: to the end. */
export type UseRange = { since: number; until?: number }
