import type { Bead, BeadEvent, BeadStatus, Refused } from '@beadloom/core/bead/bead.ts'
import type {
  DiffSize,
  Execution,
  ExecutionEnd,
  ExecutionFlag,
  ExecutionState,
  RunChoice,
} from '@beadloom/core/execution/execution.ts'
import type { FollowUp, FollowUpKind } from '@beadloom/core/bead/follow-up.ts'
import type { BeadId, ExecutionId, InstanceId, ProjectId, SessionId } from '@beadloom/core/ids.ts'
import type { RetryPolicy } from '@beadloom/core/execution/retry.ts'
import type { PromptLength } from '@beadloom/core/execution/signs.ts'
import type { Session, SessionKind, SessionOutcome } from '@beadloom/core/execution/session.ts'
import type { TokenUse } from '@beadloom/core/execution/token-use.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import type { FigureCounts } from './figures.ts'
import type { ParkedModels } from './parked.ts'
import type { ProjectChoices } from './project-choices.ts'
import type { PullRequests } from './pull-requests.ts'
import type { Reviews } from './reviews.ts'
import type { TrackerQueue } from './tracker-queue.ts'

/**
 * The only writer of state. Every method that changes something writes its rows, its event and its row in `changes`
 * in one immediate transaction, then tells the listeners. Reads are synchronous and bounded.
 */
export interface Store extends ParkedModels, FigureCounts, PullRequests, Reviews, TrackerQueue, ProjectChoices {
  readonly instance: InstanceId
  /** Names this set of data: a client that holds rows of another epoch starts again. */
  readonly epoch: string

  // projects
  addProject(project: NewProject): ProjectRow
  project(id: ProjectId): ProjectRow | null
  projects(): ProjectRow[]
  updateProject(id: ProjectId, patch: Partial<ProjectPatch>): ProjectRow
  removeProject(id: ProjectId): void

  // beads
  /** Makes the project's beads equal to the tracker's: new, changed and gone ones. Returns what changed. */
  replaceBeads(project: ProjectId, beads: TrackedBead[]): { added: number; changed: number; removed: number }
  addBead(bead: TrackedBead): Bead
  bead(project: ProjectId, id: BeadId): Bead | null
  beads(project: ProjectId): Bead[]
  moveBead(project: ProjectId, id: BeadId, event: BeadEvent): BeadStatus | Refused

  // executions
  /** Refused when the bead has a live execution already. */
  queueExecution(execution: NewExecution): Execution | Refused
  execution(id: ExecutionId): Execution | null
  executions(filter: ExecutionFilter): Execution[]
  liveExecutions(): Execution[]
  /** QUEUED → RUNNING, with the bead's move to in_progress; refused when somebody else was first. */
  startExecution(id: ExecutionId, deadlineAt: number): Execution | Refused
  /** What becomes known of a live execution; counters are stored before what they count starts. */
  noteExecution(id: ExecutionId, patch: ExecutionPatch): void
  /** Adds a flag, once; also to an execution that has ended. */
  flagExecution(id: ExecutionId, flag: ExecutionFlag): void
  /** How much its work changes; also of an execution that has ended. */
  noteDiffSize(id: ExecutionId, size: DiffSize): void
  /** Time in RUNNING that is used up, milliseconds; nobody is told. */
  noteElapsed(id: ExecutionId, elapsedMs: number): void
  /** Why a live execution is being stopped, before the first signal; the first reason stays. */
  noteStop(id: ExecutionId, reason: unknown): void
  stopReason(id: ExecutionId): unknown
  requestCancel(id: ExecutionId): Execution | Refused
  /** To a terminal state, guarded; the bead's move comes with the pipeline. */
  endExecution(id: ExecutionId, end: ExecutionEnd): Execution | Refused
  /** Counts them for the session, the execution and its project's day, all in one transaction. */
  addTokens(execution: ExecutionId, session: SessionId, use: TokenUse): void
  /** What a project has used on the calendar day (UTC) of `now`. */
  tokensOfDay(project: ProjectId, now: number): TokenUse
  /** The terminal pipeline's steps are recorded so that each runs once. */
  pipelineDone(id: ExecutionId, step: PipelineStep): void
  pipelineSteps(id: ExecutionId): PipelineStep[]
  /** Terminal executions whose pipeline is not finished. */
  unfinishedPipelines(): Execution[]
  /**
   * Files the bead that follows from this execution's end, once: null when that has happened already. While the
   * follow-up of the same kind for the same bead is not done, and always for a follow-up's own failure, no bead is
   * filed but the failure added to the one that is there.
   */
  fileFollowUp(execution: ExecutionId, followUp: FollowUp): { bead: BeadId; filed: 'bead' | 'entry' } | null
  /** Beads that were filed because of how it ended; not the one that it ran for. */
  followUpsOf(execution: ExecutionId): FollowUpRow[]

  // sessions
  startSession(session: NewSession): Session
  sessionRunning(id: SessionId, container: string): void
  endSession(id: SessionId, outcome: SessionOutcome, exitCode: number | null, detail: string): Session
  session(id: SessionId): Session | null
  sessions(execution: ExecutionId): Session[]

  // verification and retries
  /** The steps of one run of a verification, all at once. */
  addVerifications(execution: ExecutionId, verifications: readonly Verification[]): void
  /** Oldest first. */
  verifications(execution: ExecutionId): Verification[]
  /** Counts a retry for the metrics; `reason` is a failure's kind or a word as stable as that. */
  addRetry(execution: ExecutionId, layer: RetryLayer, reason: string): void

  // events and records
  addEvent(execution: ExecutionId, session: SessionId | null, type: string, data: unknown, line?: number | null): number
  /** Events of a session's record with its checkpoint, in one transaction. */
  commitRecord(session: SessionId, checkpoint: Checkpoint, events: RecordedEvent[]): void
  checkpoint(session: SessionId): Checkpoint | null
  events(execution: ExecutionId, after: number, limit: number): EventRow[]
  /** How long the first messages of its attempts were, oldest first; at most 100. */
  promptLengths(execution: ExecutionId): PromptLength[]
  /** The newest event of this type. */
  lastEvent(execution: ExecutionId, type: string): EventRow | null

  // changes
  /** Highest `seq` of the `changes` table. */
  seq(): number
  /** Changes after `seq`, newest state only once per (kind, id); null when `seq` is older than what is kept. */
  changesAfter(seq: number, limit: number): Change[] | null
  onChange(listener: (seq: number) => void): () => void
  /**
   * Says that what people see of these rows has changed although the rows have not (a reason, a last activity).
   * One row in `changes` for each id, in one transaction.
   */
  touch(kind: ChangeKind, project: ProjectId | null, ids: readonly string[]): void
  /** Told with the execution's id when it has new events. */
  onEvent(listener: (execution: ExecutionId, seq: number) => void): () => void

  close(): void
}

/** A bead as the tracker gives it; `raw` is its own text, kept for what Beadloom does not know. */
export type TrackedBead = Omit<Bead, 'status'> & { status: BeadStatus; raw: string | null }

export type NewProject = { id: ProjectId; source: string }
export type ProjectRow = ProjectPatch & { id: ProjectId; source: string; addedAt: number }
export type ProjectPatch = {
  name: string
  paused: boolean
  /** A person's choice over `beadloom.json`; null: as the file says. */
  autopilot: boolean | null
  /** The settings that were last read, as JSON, or null. */
  settings: string | null
  baseCommit: string | null
  problem: string | null
  warnings: string[]
  syncedAt: number | null
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
  /** Default: as the project says. */
  chosen?: RunChoice
}
export type ExecutionPatch = Partial<
  Pick<
    Execution,
    'branch' | 'baseCommit' | 'commit' | 'attempt' | 'retryAttempt' | 'retryAt' | 'pendingPush' | 'notice'
  >
>

/** Which layer tried again: a call of the model, a run, an attempt, or a bead that was filed for later. */
export type RetryLayer = 'api_call' | 'run' | 'verification' | 'follow_up'

export type FollowUpRow = { bead: BeadId; kind: FollowUpKind; title: string; status: BeadStatus }

export type ExecutionFilter = {
  project?: ProjectId
  bead?: BeadId
  state?: ExecutionState
  before?: number
  limit: number
}

export type NewSession = {
  id: SessionId
  execution: ExecutionId
  number: number
  kind: SessionKind
  attempt: number
  /** Default: none. */
  model?: string | null
}

export type PipelineStep = 'status' | 'bead' | 'sync' | 'cleanup'
export const pipelineOrder: readonly PipelineStep[] = ['status', 'bead', 'sync', 'cleanup']

/**
 * How far a session's record is: last event number seen, bytes and lines of the log, whether it is complete, how many
 * bytes of each stream all that stands for, and how many came after the log was full.
 */
export type Checkpoint = {
  n: number
  logBytes: number
  logLines: number
  complete: boolean
  stdout: number
  stderr: number
  tail: number
}
export const unrecorded: Checkpoint = {
  n: 0,
  logBytes: 0,
  logLines: 0,
  complete: false,
  stdout: 0,
  stderr: 0,
  tail: 0,
}
export type RecordedEvent = { type: string; at: number; line: number | null; data: unknown }
export type EventRow = {
  seq: number
  execution: ExecutionId
  session: SessionId | null
  at: number
  type: string
  line: number | null
  data: unknown
}

export type ChangeKind = 'project' | 'bead' | 'execution' | 'status'
/** `project` is null for `status`; `id` of a bead is its id within the project. */
export type Change = { seq: number; kind: ChangeKind; project: ProjectId | null; id: string }

export type StoreErrorKind =
  /** Another server has this data folder open. */
  | 'in-use'
  | 'not-writable'
  | 'corrupt'
  /** Written by a newer Beadloom. */
  | 'newer'
  /** A database, but not one of Beadloom's. */
  | 'foreign'
  | 'no-space'
  /** What was asked for is not there. */
  | 'missing'
  /** What was asked for is not allowed now ("project x has a live execution"). */
  | 'refused'

export class StoreError extends Error {
  override name = 'StoreError'
  readonly kind: StoreErrorKind
  constructor(kind: StoreErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
