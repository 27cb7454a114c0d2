import { assertNever } from '../text/assert-never.ts'
import type { AgentName } from '../agents/agent-names.ts'
import type { BeadStatus, Refused } from './bead.ts'
import type { BeadId, ExecutionId, ProjectId } from './ids.ts'
import type { Course } from './course.ts'
import type { Pause } from './pause.ts'
import type { PlanningChoice } from './planning.ts'
import type { FailureReason } from './failure/failure-reason.ts'
import type { Failure, FailureKind } from './failure/failure.ts'
import type { RedGreen } from './red-green.ts'
import type { RetryPolicy } from './retry.ts'
import type { TokenUse } from '../budget/token-use.ts'
import { keepsSlot, type Wait } from './wait.ts'

export type { FailureReason } from './failure/failure-reason.ts'

export const executionStates = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'BLOCKED', 'TIMEOUT', 'CANCELLED'] as const
export type ExecutionState = (typeof executionStates)[number]

export const terminalStates = ['COMPLETED', 'FAILED', 'BLOCKED', 'TIMEOUT', 'CANCELLED'] as const
export type TerminalState = (typeof terminalStates)[number]
export const isTerminal = (state: ExecutionState): state is TerminalState =>
  (terminalStates as readonly string[]).includes(state)

/** `wall_clock`: the deadline since RUNNING; `silence`: no output for the inactivity limit. */
export type TimeoutReason = 'wall_clock' | 'silence'

export const executionKinds = ['work', 'review', 'plan'] as const
export type ExecutionKind = (typeof executionKinds)[number]

/** Whether an execution of this kind claims its bead, and changes its status at start and end. */
export const movesBead: Record<ExecutionKind, boolean> = { work: true, review: false, plan: false }

/** A failure, and the text that follows its sentence. */
type Described = { what: Failure; more: string }

/** The end of an execution. `detail` is a sentence for people: what happened, and what to do next. */
export type ExecutionEnd =
  | { state: 'COMPLETED'; commit: string; detail: string }
  /** `kind` decides whether to retry, and the bead's status; `detail` is the text of `failure`. */
  | { state: 'FAILED'; reason: FailureReason; detail: string; kind?: FailureKind; failure?: Described }
  | { state: 'BLOCKED'; blockedReason: string; detail: string }
  | { state: 'TIMEOUT'; reason: TimeoutReason; detail: string }
  | { state: 'CANCELLED'; detail: string }

/**
 * A fact about an execution that a person should see, however it ended. `flaky`: a verification failed and passed on
 * the same commit; `tampered`: an attempt removed, skipped or weakened tests; `no_progress`: the same failure and no
 * change; `adopted`: it continued across a restart of the server; `outdated`: a person edited the bead while it ran;
 * `unverified`: the project has no checks; `checks_made`: it added the checks that it passed; `opinion`: a judge said
 * no, or gave no answer; `base_red`: checks were not counted, because they fail on the base, too; `not_checked`: tests
 * of its changes could not run on the base, and it was accepted anyway; `tests_changed`: existing tests expect other
 * values, or another runner runs them, which is no reason to refuse; `secrets`: it adds something that looks like a
 * secret, or one of its earlier commits does; `runs_elsewhere`: it changes files that run outside of Beadloom, such as
 * CI's.
 */
export type ExecutionFlag = {
  kind:
    | 'flaky'
    | 'tampered'
    | 'no_progress'
    | 'adopted'
    | 'outdated'
    | 'unverified'
    | 'checks_made'
    | 'opinion'
    | 'base_red'
    | 'not_checked'
    | 'secrets'
    | 'tests_changed'
    | 'runs_elsewhere'
  text: string
}

/**
 * The size of the work's changes. A binary file counts only as a file. `outside`: files that its bead does not name, at
 * most 100; left out if there are none, or if the bead names no file at all.
 */
export type DiffSize = { files: number; added: number; removed: number; outside?: string[] }

/**
 * A person's choices for one execution that differ from the project's. `planning` also applies to the work that follows
 * a plan.
 */
export type RunChoice = {
  agent?: AgentName | undefined
  model?: string | undefined
  planning?: PlanningChoice | undefined
  /** Fresh starts of the built-in agent. */
  retryOnFailure?: boolean | undefined
  maxRetries?: number | undefined
}

/** The record in the store and in the API. Times are integer milliseconds UTC. */
export type Execution = {
  id: ExecutionId
  project: ProjectId
  bead: BeadId
  kind: ExecutionKind
  state: ExecutionState
  /** Failure or timeout reason, null in every other state. */
  reason: FailureReason | TimeoutReason | null
  /** The failure, finer than `reason`; left out if not known. */
  failureKind?: FailureKind
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
  /** A note about its branch for the agent, in addition to a person's note; null: none. */
  notice: string | null
  /** A person's choices for this execution alone. */
  chosen?: RunChoice
  /** A person's changes since it started. */
  course?: Course
  /** It begins with the checks of its branch: a person has allowed the work that they refused. */
  checksFirst?: boolean
  /** Autopilot queued it, not a person. */
  byAutopilot?: true
  /** The version of its bead's plan by which it is done, phase by phase. */
  planVersion?: number
  /** It begins again at this phase, even if an earlier execution has done it. */
  fromPhase?: number
  /** A person has paused it. It may still be at work: `waits` says whether something waits for that already. */
  paused?: Pause
  /** A person wants it to wait after the current phase. */
  pauseAsked?: true
  /** The phase after which it waited last, once it has continued. */
  continuedAfter?: number
  /** Whether its tests fail without its change; left out if nobody has looked. */
  redGreen?: RedGreen
  /** The bead's status before this execution started, for CANCELLED. */
  formerBeadStatus: BeadStatus
  /** The bead had failed before this execution. */
  formerFailed?: true
  /** Fresh sessions of the verification loop: the current one, and the maximum. */
  attempt: number
  maxAttempts: number
  retry: RetryPolicy
  /** Retries: configured (`retry.retryCount`) and used. */
  retryCount: number
  retryAttempt: number
  /** The most agent sessions across all layers of retries. */
  maxSessions: number
  flags: ExecutionFlag[]
  /** Null: it works, has not started, or has ended. */
  waits: Wait | null
  /** The changes between `baseCommit` and `commit`, counted at the end; null until then, and without a commit. */
  diffSize: DiffSize | null
  /** Time already spent in RUNNING, for a deadline that survives restarts and clock jumps. */
  elapsedMs: number
  /** Its duration, in milliseconds during which the server ran; `lasted` handles its absence. */
  tookMs?: number
  tokens: TokenUse
  queuedAt: number
  startedAt: number | null
  endedAt: number | null
  /** Wall-clock end of the deadline, set with RUNNING. */
  deadlineAt: number | null
  cancelRequestedAt: number | null
  /** Why it does not stop although it should; null: nothing is in the way. */
  stopPending: StopPending | null
}

/** A stop that is not carried out yet: its time (milliseconds UTC), the number of tries, and the obstacle. */
export type StopPending = { since: number; tries: number; why: string }

export type ExecutionEvent = { type: 'started' } | { type: 'ended'; end: ExecutionEnd }

/** Whether it has a slot: most waits keep it. */
export const holdsSlot = ({ state, waits }: Pick<Execution, 'state' | 'waits'>): boolean =>
  state === 'RUNNING' && (waits === null || keepsSlot[waits.kind])

/** The states that may follow each state. The store's guarded SQL and the dashboard's buttons read this table, too. */
const nextStates: Record<ExecutionState, readonly ExecutionState[]> = {
  QUEUED: ['RUNNING', 'CANCELLED'],
  RUNNING: ['COMPLETED', 'FAILED', 'BLOCKED', 'TIMEOUT', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  BLOCKED: [],
  TIMEOUT: [],
  CANCELLED: [],
}

type MayBring = Pick<Execution, 'kind' | 'state' | 'reason' | 'attempt' | 'baseCommit'>

/**
 * Whether it has ended with a branch that its remote may lack: only complete work is published, and an agent may have
 * added something to the branch.
 */
export const bringsWork = ({ kind, state, reason, attempt, baseCommit }: MayBring): boolean =>
  kind === 'work' &&
  isTerminal(state) &&
  state !== 'COMPLETED' &&
  baseCommit !== null &&
  attempt > 0 &&
  reason !== 'nothing_committed'

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
