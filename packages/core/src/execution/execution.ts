import { assertNever } from '../assert-never.ts'
import type { AgentName } from '../agents/agent-names.ts'
import type { Refused } from '../bead/bead.ts'
import type { BudgetWait } from '../budget/wait.ts'
import type { BeadStatus } from '../bead/bead.ts'
import type { BeadId, ExecutionId, ProjectId } from '../ids.ts'
import type { PlanningChoice } from '../plan/planning.ts'
import type { FailureReason } from './failure/failure-reason.ts'
import type { Failure, FailureKind } from './failure/failure.ts'
import type { RedGreen } from './red-green.ts'
import type { RetryPolicy } from './retry.ts'
import type { TokenUse } from './token-use.ts'

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

/** Whether such an execution claims its bead, and moves it as it starts and ends. */
export const movesBead: Record<ExecutionKind, boolean> = { work: true, review: false, plan: false }

/** A failure, and the text that follows its sentence. */
type Described = { what: Failure; more: string }

/**
 * How an execution ended. `detail` is a sentence for people: what happened, and what to do next.
 */
export type ExecutionEnd =
  | { state: 'COMPLETED'; commit: string; detail: string }
  /** `kind` decides whether it is retried, and what its bead becomes; `detail` is the text of `failure`. */
  | { state: 'FAILED'; reason: FailureReason; detail: string; kind?: FailureKind; failure?: Described }
  | { state: 'BLOCKED'; blockedReason: string; detail: string }
  | { state: 'TIMEOUT'; reason: TimeoutReason; detail: string }
  | { state: 'CANCELLED'; detail: string }

/**
 * Something about an execution that a person should see, however it ended. `flaky`: a verification failed and passed on
 * the same commit; `tampered`: an attempt removed, skipped or weakened tests; `no_progress`: the same failure and no
 * change; `adopted`: it continued across a restart of the server; `outdated`: a person edited the bead while it ran;
 * `unverified`: the project has its work checked by nothing; `checks_made`: it brought the checks that it passed;
 * `opinion`: a judge said no, or gave no answer; `base_red`: checks were not counted, because they fail on the base too;
 * `not_checked`: tests of what it changes could not run on the base, and it was taken all the same; `tests_changed`: tests that
 * were there expect other values, or another runner runs them, which refuses nothing; `secrets`: it adds what looks like a secret,
 * or an earlier commit of it does; `runs_elsewhere`: it changes files that run outside of Beadloom, as CI's.
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

/** The verified work is in the hub and waits for the project's remote. Times are integer milliseconds UTC. */
export type PendingPush = { since: number; tries: number; nextAt: number; why: string }

/**
 * Work by a plan that waits for a person after a phase: without a container, and without a slot. `continued`: the person has
 * let it continue, and it waits for a slot. Times are integer milliseconds UTC.
 */
export type PhaseWait = { after: number; since: number; continued: boolean }

/**
 * How much the work changes. A binary file counts only as a file. `outside`: files that its bead does not name, at most 100;
 * left out where there are none, and where the bead names no file at all.
 */
export type DiffSize = { files: number; added: number; removed: number; outside?: string[] }

/** What a person chose for one execution, where it is not the project's. `planning` also of the work that follows a plan. */
export type RunChoice = {
  agent?: AgentName | undefined
  model?: string | undefined
  planning?: PlanningChoice | undefined
  /** Fresh starts of the built-in agent. */
  retryOnFailure?: boolean | undefined
  maxRetries?: number | undefined
}

/** The record as the store keeps it and the API shows it. Times are integer milliseconds UTC. */
export type Execution = {
  id: ExecutionId
  project: ProjectId
  bead: BeadId
  kind: ExecutionKind
  state: ExecutionState
  /** Failure or timeout reason, null in every other state. */
  reason: FailureReason | TimeoutReason | null
  /** What went wrong, finer than `reason`; left out where nobody knows. */
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
  /** What its agent has to know about its branch, beside what a person wrote; null: nothing. */
  notice: string | null
  /** What a person chose for this execution alone. */
  chosen?: RunChoice
  /** It begins with the checks of what its branch has: a person has allowed what they refused. */
  checksFirst?: boolean
  /** Autopilot has queued it, and no person. */
  byAutopilot?: true
  /** The version of its bead's plan by which it is done, phase by phase. */
  planVersion?: number
  /** It begins again at this phase, whatever an earlier execution has done of it. */
  fromPhase?: number
  /** It waits after a phase. */
  phaseWait?: PhaseWait
  /** It waits at a limit of tokens or money for a person. */
  budgetWait?: BudgetWait
  /** A person wants it to wait after the phase in work. */
  pauseAsked?: true
  /** The phase after which it waited last, once it has continued. */
  continuedAfter?: number
  /** Whether its tests fail without its change; left out where nobody has looked. */
  redGreen?: RedGreen
  /** The bead's status before this execution started, for CANCELLED. */
  formerBeadStatus: BeadStatus
  /** Beside it: the bead had failed before. */
  formerFailed?: true
  /** Fresh sessions of the verification loop: the current one, and the most there may be. */
  attempt: number
  maxAttempts: number
  retry: RetryPolicy
  /** Retries: configured (`retry.retryCount`) and used. */
  retryCount: number
  retryAttempt: number
  /** When the next retry starts, while it waits for that; else null. */
  retryAt: number | null
  /** The most agent sessions over all layers of retries. */
  maxSessions: number
  flags: ExecutionFlag[]
  pendingPush: PendingPush | null
  /** What changed between `baseCommit` and `commit`, counted at the end; null until then, and without a commit. */
  diffSize: DiffSize | null
  /** Time already spent in RUNNING, for a deadline that survives restarts and clock jumps. */
  elapsedMs: number
  /** How long it took, in milliseconds in which the server ran; `lasted` knows what to do without it. */
  tookMs?: number
  tokens: TokenUse
  queuedAt: number
  startedAt: number | null
  endedAt: number | null
  /** Wall-clock end of the deadline, set with RUNNING. */
  deadlineAt: number | null
  cancelRequestedAt: number | null
  /** It is to stop and does not; null: nothing is in the way. */
  stopPending: StopPending | null
}

/** A stop that is not carried out yet: since when (milliseconds UTC), how often it was tried, what is in the way. */
export type StopPending = { since: number; tries: number; why: string }

export type ExecutionEvent = { type: 'started' } | { type: 'ended'; end: ExecutionEnd }

/** Whether it has a slot: not while it waits for its project's remote, nor for a person between two phases. */
export const holdsSlot = ({
  state,
  pendingPush,
  phaseWait,
}: Pick<Execution, 'state' | 'pendingPush' | 'phaseWait'>): boolean =>
  state === 'RUNNING' && pendingPush === null && phaseWait === undefined

/** Which state may follow which. The store's guarded SQL and the dashboard's buttons read this table too. */
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
 * It has ended with a branch that its remote need not have, because only what is complete is published, and an agent may
 * have added something to it.
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
