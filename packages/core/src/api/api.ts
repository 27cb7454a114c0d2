import type { EditedValue, RefusedField } from '../bead/bead-edit.ts'
import type { LimitView } from './budget-api.ts'
import type { Bead } from '../bead/bead.ts'
import type { Reason } from '../dispatch/reason.ts'
import type { Execution } from '../execution/execution.ts'
import type { FreshStarts } from '../execution/fresh-starts/fresh-starts.ts'
import type { RetryPolicy } from '../execution/retry.ts'
import type { Session } from '../execution/session.ts'
import type { TokenLimits } from '../execution/token-budget.ts'
import type { TokenUse } from '../execution/token-use.ts'
import type { Verification } from '../execution/verification.ts'
import type { ReviewVerdict } from '../review/review.ts'
import type { TestsAllowed } from '../tamper/allowed.ts'
import type { ProofView } from './environment-api.ts'
import type { KeptContainer } from './container-api.ts'
import type { ActionView } from './people-api.ts'
import type { PhaseProgress, PhaseSessionView } from './phase-api.ts'
import type { PlanHead } from './plan-api.ts'
import type { PullRequestView } from './pull-request-api.ts'

/*
 * What the HTTP API gives of projects, beads and executions. Lists are `{"items":[…],"next"?}`, errors
 * `{"error":{"code","message","details?"}}`.
 */

export type ApiError = { error: { code: string; message: string; details?: unknown } }
export type Page<T> = { items: T[]; next?: string }

/**
 * What keeps a project's beads: `bd`, `jsonl` (its file, directly), `read-only`, `branch` (the base branch's file) or
 * `none`. `text` says it in a sentence. `waiting`: changes that the tracker does not have yet; `problem`: why, '' while
 * they are only on their way.
 */
export type TrackerView = { kind: string; text: string; writable: boolean; waiting: number; problem: string }

/**
 * `configuration`: the settings that the repository and this server give it have errors. `repository`: it cannot be read.
 * `base`: what its beads start from is not fit to work on. `other`: it is read, and something else keeps it from running (no
 * model).
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
  /** Why autopilot has paused itself, while it is on; left out where it has not. */
  brake?: Reason
  /** A sentence when the project cannot run ("beadloom.json: unknown key …"), else null. */
  problem: string | null
  /** What `problem` is about; null without one. */
  problemKind: ProjectProblemKind | null
  /** Whether what its beads start from is fit to work on; left out where nobody knows yet. */
  base?: Omit<ProofView, 'checks'>
  /** Warnings from reading its beads: broken lines, duplicate ids, cycles. */
  warnings: string[]
  /** A sentence where its containers get less memory than it asks for; else left out. */
  memoryNote?: string
  /** A sentence where the model's endpoint may run tools of its own for it; else left out. */
  hostedNote?: string
  agent: string
  model: string | null
  modelNote: string | null
  test: string | null
  setup: string | null
  /** What an execution gets unless its request says otherwise. */
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
  /** Another number whenever somebody dismisses a notice of the inbox, or takes that back; left out by older servers. */
  dismissals?: number
  /** What its executions have used today (UTC), and the limit; `perDay` null: no limit. `asks`: they wait for a person there. */
  tokens?: { today: TokenUse; perDay: number | null; asks: boolean; currency: string }
}

/** What the board shows of a bead; the description and dependencies come with `BeadView`. */
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
  /** The newest execution of the bead, if any; while an architect plans the bead, that. */
  execution: string | null
  /** The verdict of the newest review, if it is about the bead's present work; else left out. */
  review?: { id: string; verdict: ReviewVerdict }
  /** The newest version of its plan; left out without one. */
  plan?: PlanHead
  /** For a follow-up: the branch on which its own execution continues. */
  baseBranch?: string
  /** In progress, and nobody works on it: its last execution failed. Left out where that is not so. */
  failed?: true
  /**
   * The bead that this one only reminds of: what it asks for is done there. It is no work of its own, so it is never
   * ready, and nobody is offered to run it. Left out for work.
   */
  reminderOf?: string
  /** A follow-up of this bead. It is shown and counted inside of it, unless that one is done and this one is not. */
  followUpOf?: string
  /** The epic that it is part of. */
  parent?: string
  /** Who works on it, or is meant to, according to the tracker. */
  assignee?: string
  /**
   * What people have changed here and its tracker did not take, with the reason, until somebody has read it or changes it
   * again. Left out where there is nothing.
   */
  refused?: { field: RefusedField; why: string }[]
}

export type BeadView = BeadCard & {
  description: string
  /** The tracker's acceptance criteria; left out where there are none. */
  acceptance?: string
  /**
   * What people have changed here that the tracker does not have. `problem`: why it will not be written, until somebody
   * dismisses it; '' while it waits. Left out where there is nothing.
   */
  edits?: { field: RefusedField; value: EditedValue; problem: string }[]
  /** `failed`: as on a card. */
  /** `met`: what it needs of another project (`external:PROJECT:CAPABILITY`) is there; such a thing is no bead here. */
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
  /** What people did to it and its executions, newest first; left out where nobody signs in beside the access token. */
  actions?: ActionView[]
}

/** `kind`: `tests_failing`, `merge_conflict`, `execution_failed`, `blocked`, `timeout`. */
export type FollowUpView = { bead: string; kind: string; title: string; status: Bead['status'] }

/** `node`: the machine, where the engine has several. */
export type ExecutionPlace = { engine: string; node: string | null }

export type ExecutionView = Execution & {
  beadTitle: string
  /** Why it has not started; left out once it has, and while nobody has looked. */
  waits?: Reason
  /**
   * The command that brings its branch into a clone on the server's machine, once it has ended with work that its remote
   * may not have; else left out.
   */
  fetch?: string
  /** The last thing that happened, for the card ("running npm test"). */
  activity: string | null
  sessions: Session[]
  /** Where its last session began; left out where that is the server's own engine. */
  place?: ExecutionPlace
  /** Why the engine has no place for its container, in the engine's words; left out where it does not wait for one. */
  waitsForPlace?: string
  /** Where it is in the plan by which it works; left out where there is none. */
  progress?: PhaseProgress
  /** Which of its sessions belong to a phase of that plan, and what each is for. */
  inPhases?: (PhaseSessionView & { phase: number })[]
  /** Outcomes of the verification steps, oldest first. */
  verifications: Verification[]
  /** Beads that were filed because of how it ended. */
  followUps: FollowUpView[]
  /** Its containers that may hold work that is saved nowhere else. */
  kept: KeptContainer[]
  /** Weaker tests that a person allowed for the bead; left out where there are none. */
  testsAllowed?: TestsAllowed[]
  /** What it reached outside, as far as it asked the proxy: "git, model, 2 of 14 hosts"; left out where it did not. */
  reached?: string
  /** What people did to it, the oldest first; left out where nobody signs in beside the access token. */
  actions?: ActionView[]
  /** Sentences about what looks wrong although nothing has failed because of it ("all 3 attempts failed alike"). */
  signs: string[]
  /** `elapsed` limits for people, milliseconds. */
  timeoutMs: number | null
  /** A note about the model where one is needed (it replays a recording, no AI), else null. */
  modelNote: string | null
  /** While it runs: of the limits of its session, itself and its bead the one of which most is used; left out where there are none. */
  limit?: LimitView
  /** The token limits as they are now; left out where there are none. */
  tokenLimits?: TokenLimits
  /** The currency of `tokens.costMicros`, ISO 4217. */
  currency?: string
}

/** A row of `GET /api/executions/:id/events`; `line` is the log line where it happened, `data` depends on `type`. */
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
 * nothing it does will follow these items, so a reader may stop. (What people later say about a review's issues is an
 * event too.)
 */
export type EventPage = { items: EventView[]; next: string; ended: boolean }
