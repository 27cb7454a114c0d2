import type { EditedValue, RefusedField } from '../bead/bead-edit.ts'
import type { LimitView } from './budget-api.ts'
import type { Bead } from '../records/bead.ts'
import type { Reason } from '../dispatch/reason.ts'
import type { Execution } from '../records/execution.ts'
import type { FreshStarts } from '../execution/fresh-starts/fresh-starts.ts'
import type { RetryPolicy } from '../records/retry.ts'
import type { Session } from '../records/session.ts'
import type { TokenLimits } from '../budget/token-budget.ts'
import type { TokenUse } from '../budget/token-use.ts'
import type { Verification } from '../records/verification.ts'
import type { ReviewVerdict } from '../review/review.ts'
import type { TestsAllowed } from '../execution/allowed.ts'
import type { ProofView } from './environment-api.ts'
import type { KeptContainer } from './container-api.ts'
import type { ActionView } from './people-api.ts'
import type { PhaseProgress, PhaseSessionView } from './phase-api.ts'
import type { PlanHead } from './plan-api.ts'
import type { PullRequestView } from './pull-request-api.ts'

/*
 * The HTTP API's answers about projects, beads and executions. Lists are `{"items":[…],"next"?}`, errors
 * `{"error":{"code","message","details?"}}`.
 */

export type ApiError = { error: { code: string; message: string; details?: unknown } }
export type Page<T> = { items: T[]; next?: string }

/**
 * A project's tracker: `bd`, `jsonl` (its file, directly), `read-only`, `branch` (the base branch's file) or `none`.
 * `text` describes it in a sentence. `waiting`: changes that the tracker does not have yet; `problem`: why not, ''
 * while they are only on their way.
 */
export type TrackerView = { kind: string; text: string; writable: boolean; waiting: number; problem: string }

/**
 * `configuration`: its settings, in the repository or on this server, have errors. `repository`: it cannot be read.
 * `base`: the commit that its beads start from has failed its proof. `other`: anything else that keeps it from running
 * (no model).
 */
export type ProjectProblemKind = 'configuration' | 'repository' | 'base' | 'other'

export type ProjectView = {
  id: string
  name: string
  source: string
  baseBranch: string | null
  workBranch: string
  autopilot: boolean
  paused: boolean
  /** Why autopilot, which is on, has paused itself; left out if it has not. */
  brake?: Reason
  /** A sentence when the project cannot run ("beadloom.json: unknown key …"), else null. */
  problem: string | null
  /** The kind of `problem`; null without one. */
  problemKind: ProjectProblemKind | null
  /** The proof of the commit that its beads start from; left out if not known yet. */
  base?: Omit<ProofView, 'checks'>
  /** Warnings from reading its beads: broken lines, duplicate ids, cycles. */
  warnings: string[]
  /** A sentence if its containers get less memory than it asks for; else left out. */
  memoryNote?: string
  /** A sentence if the model's endpoint may run tools of its own for it; else left out. */
  hostedNote?: string
  agent: string
  model: string | null
  modelNote: string | null
  test: string | null
  setup: string | null
  /** The retry policy of an execution unless its request says otherwise. */
  retry: RetryPolicy
  maxAttempts: number
  /** Fresh starts of the built-in agent; left out while the project's settings are not known. */
  freshStarts?: Pick<FreshStarts, 'retryOnFailure' | 'maxRetries'>
  beadCounts: { open: number; in_progress: number; blocked: number; timeout: number; done: number; ready: number }
  syncedAt: number | null
  /** Null before the first sync. */
  tracker: TrackerView | null
  /** The newest one that was asked for, in any state. */
  pullRequest: PullRequestView | null
  /** Changes whenever somebody dismisses a notice of the inbox or restores it; older servers leave it out. */
  dismissals?: number
  /**
   * Its executions' use of today (UTC), and the limit; `perDay` null: no limit. `asks`: at the limit they wait for a
   * person.
   */
  tokens?: { today: TokenUse; perDay: number | null; asks: boolean; currency: string }
}

/** A bead as the board shows it; the description and dependencies come with `BeadView`. */
export type BeadCard = {
  project: string
  id: string
  title: string
  status: Bead['status']
  trackerStatus: string
  priority: number
  type: string
  labels: string[]
  updatedAt: number
  createdAt: number
  hidden: boolean
  ready: boolean
  reason: Reason | null
  /** The newest execution of the bead, if any; while an architect plans the bead, the planning execution. */
  execution: string | null
  /** The verdict of the newest review, if it is about the bead's present work; else left out. */
  review?: { id: string; verdict: ReviewVerdict }
  /** The newest version of its plan; left out without one. */
  plan?: PlanHead
  /** For a follow-up: the branch on which its own execution continues. */
  baseBranch?: string
  /** In progress, but nobody works on it: its last execution failed. Else left out. */
  failed?: true
  /**
   * For a reminder: the bead in question, where a person answers. A reminder is no work of its own, so it is never
   * ready and has no button to run it. Left out for work.
   */
  reminderOf?: string
  /**
   * The bead that this one follows up. A follow-up is shown and counted inside of that bead, unless that one is done
   * and this one is not.
   */
  followUpOf?: string
  /** The epic that it is part of. */
  parent?: string
  /** The person who works on it, or is meant to, according to the tracker. */
  assignee?: string
  /**
   * People's changes that its tracker refused, with the reason, until somebody has read it or changes it again. Left
   * out if there are none.
   */
  refused?: { field: RefusedField; why: string }[]
}

export type BeadView = BeadCard & {
  description: string
  /** The tracker's acceptance criteria; left out if there are none. */
  acceptance?: string
  /**
   * People's changes that the tracker does not have yet. `problem`: why the change will not be written, until somebody
   * dismisses it; '' while it waits. Left out if there are none.
   */
  edits?: { field: RefusedField; value: EditedValue; problem: string }[]
  /** `failed`: as on a card. */
  /** `met`: the capability of another project (`external:PROJECT:CAPABILITY`) exists; it is no bead here. */
  dependencies: {
    id: string
    type: string
    status: Bead['status'] | 'missing'
    met?: true
    failed?: true
    title: string | null
  }[]
  dependents: { id: string; type: string; status: Bead['status']; failed?: true; title: string }[]
  executions: ExecutionView[]
  /**
   * People's actions on it and its executions, newest first; left out if nobody can sign in except with the access
   * token.
   */
  actions?: ActionView[]
}

/** `kind`: `tests_failing`, `merge_conflict`, `execution_failed`, `blocked`, `timeout`. */
export type FollowUpView = { bead: string; kind: string; title: string; status: Bead['status'] }

/** `node`: the machine, if the engine has several. */
export type ExecutionPlace = { engine: string; node: string | null }

export type ExecutionView = Execution & {
  beadTitle: string
  /** Why it has not started; left out once it has, and before the first plan. */
  waits?: Reason
  /**
   * The command that fetches its branch into a clone on the server's machine, once it has ended with work that its
   * remote may not have; else left out.
   */
  fetch?: string
  /** The last thing that happened, for the card ("running npm test"). */
  activity: string | null
  sessions: Session[]
  /** The engine of its last session; left out if that is the server's own engine. */
  place?: ExecutionPlace
  /** Why the engine has no place for its container, in the engine's words; left out if it does not wait for one. */
  waitsForPlace?: string
  /** Its progress in its plan; left out without a plan. */
  progress?: PhaseProgress
  /** Its sessions that belong to a phase of that plan, with the purpose of each. */
  inPhases?: (PhaseSessionView & { phase: number })[]
  /** Outcomes of the verification steps, oldest first. */
  verifications: Verification[]
  /** Beads that were filed because of how it ended. */
  followUps: FollowUpView[]
  /** Its containers that may hold work that is saved nowhere else. */
  kept: KeptContainer[]
  /** Weaker tests that a person allowed for the bead; left out if there are none. */
  testsAllowed?: TestsAllowed[]
  /**
   * The hosts outside that it reached through the proxy: "git, model, 2 of 14 hosts"; left out if it asked for none.
   */
  reached?: string
  /** People's actions on it, oldest first; left out if nobody can sign in except with the access token. */
  actions?: ActionView[]
  /** Warning signs that have made nothing fail, in sentences ("all 3 attempts failed alike"). */
  signs: string[]
  /** `elapsed` limits for people, milliseconds. */
  timeoutMs: number | null
  /** A note about the model if one is needed (it replays a recording, no AI), else null. */
  modelNote: string | null
  /**
   * While it runs: the limit closest to being reached, of its session, itself or its bead; left out if there are none.
   */
  limit?: LimitView
  /** The present token limits; left out if there are none. */
  tokenLimits?: TokenLimits
  /** The currency of `tokens.costMicros`, ISO 4217. */
  currency?: string
}

/** A row of `GET /api/executions/:id/events`; `line` is the log line of the event; `data` depends on `type`. */
export type EventView = {
  seq: number
  at: number
  session: string | null
  type: string
  line: number | null
  data: unknown
}

/**
 * One answer of the polling endpoint. `next` is the `after` of the next request. `ended`: the execution is over and
 * will add no more items, so a reader may stop. (People's later decisions about a review's issues are events too.)
 */
export type EventPage = { items: EventView[]; next: string; ended: boolean }
