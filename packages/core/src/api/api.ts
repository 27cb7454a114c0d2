import type { KeptContainer } from './container-api.ts'
import { agentNames } from '../agents/presets.ts'
import { z } from 'zod/mini'
import type { Bead } from '../bead/bead.ts'
import type { Execution } from '../execution/execution.ts'
import { retryFields, type RetryPolicy } from '../execution/retry.ts'
import type { Verification } from '../execution/verification.ts'
import type { Reason } from '../dispatch/reason.ts'
import type { ReviewIssue, ReviewVerdict } from '../review/review.ts'
import type { Session } from '../execution/session.ts'
import type { TokenLimits } from '../execution/token-budget.ts'
import type { TokenUse } from '../execution/token-use.ts'
import type { TestsAllowed } from '../tamper/allowed.ts'
import type { Figures } from './figures-api.ts'

export type { Figures } from './figures-api.ts'

/*
 * What the HTTP API takes and gives. Requests are zod schemas (they validate, and the OpenAPI document is generated
 * from them); answers are types. Lists are `{"items":[…],"next"?}`, errors `{"error":{"code","message","details?"}}`.
 */

export const AddProject = z.strictObject({
  /** A path on the server's machine or a URL. */
  source: z.string().check(z.minLength(1), z.maxLength(2000)),
  /** Default: from the last part of `source`. */
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
})
export type AddProject = z.infer<typeof AddProject>

export const ChangeProject = z.strictObject({ autopilot: z.optional(z.nullable(z.boolean())) })
export type ChangeProject = z.infer<typeof ChangeProject>

export const NewBead = z.strictObject({
  title: z.string().check(z.minLength(1), z.maxLength(500)),
  description: z.optional(z.string().check(z.maxLength(100_000))),
  priority: z.optional(z.int().check(z.minimum(0), z.maximum(4))),
  type: z.optional(z.string().check(z.minLength(1), z.maxLength(50))),
  labels: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.maxLength(100))),
  /** Ids of the project's beads that must be done before this one can run. */
  dependsOn: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(128))).check(z.maxLength(100))),
})
export type NewBead = z.infer<typeof NewBead>

/** A person closes or reopens a bead. Other changes belong to the tracker. */
export const ChangeBead = z.strictObject({ status: z.enum(['open', 'done']) })
export type ChangeBead = z.infer<typeof ChangeBead>

export const QueueExecution = z.strictObject({
  kind: z.optional(z.enum(['work'])),
  /** Free text for the agent: section ADDITIONAL CONTEXT of its prompt. */
  context: z.optional(z.string().check(z.maxLength(20_000))),
  /** For this execution alone; default: the project's. */
  agent: z.optional(z.enum(agentNames)),
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  ...retryFields,
})
export type QueueExecution = z.infer<typeof QueueExecution>

export const AskReview = z.strictObject({
  /** Without a bead the whole work branch is reviewed. */
  bead: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  /** Even if exactly this was reviewed before. */
  again: z.optional(z.boolean()),
})
export type AskReview = z.infer<typeof AskReview>

export const DismissIssue = z.strictObject({ note: z.optional(z.string().check(z.maxLength(2000))) })
export type DismissIssue = z.infer<typeof DismissIssue>

/** Who allows weaker tests, and why. */
export const AllowTests = z.strictObject({
  why: z.optional(z.string().check(z.maxLength(2000))),
  /** Default: whoever has the server's token. */
  by: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
})
export type AllowTests = z.infer<typeof AllowTests>

export const AskPullRequest = z.strictObject({
  /** Default: made from the beads. */
  title: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
})
export type AskPullRequest = z.infer<typeof AskPullRequest>

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
 * `other`: it is read, and something else keeps it from running (no model).
 */
export type ProjectProblemKind = 'configuration' | 'repository' | 'other'

export type ProjectView = {
  id: string
  name: string
  source: string
  baseBranch: string | null
  workBranch: string
  autopilot: boolean
  paused: boolean
  /** A sentence when the project cannot run ("beadloom.json: unknown key …"), else null. */
  problem: string | null
  /** What `problem` is about; null without one. */
  problemKind: ProjectProblemKind | null
  /** Warnings from reading its beads: broken lines, duplicate ids, cycles. */
  warnings: string[]
  /** A sentence where its containers get less memory than it asks for; else left out. */
  memoryNote?: string
  agent: string
  model: string | null
  modelNote: string | null
  test: string | null
  setup: string | null
  /** What an execution gets unless its request says otherwise. */
  retry: RetryPolicy
  maxAttempts: number
  beadCounts: { open: number; in_progress: number; blocked: number; timeout: number; done: number; ready: number }
  syncedAt: number | null
  /** Null before the first sync. */
  tracker: TrackerView | null
  /** The newest one that was asked for, in any state. */
  pullRequest: PullRequestView | null
  /** What its executions have used today (UTC), and the limit; `perDay` null: no limit. */
  tokens?: { today: TokenUse; perDay: number | null; currency: string }
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
  /** The newest execution of the bead, if any. */
  execution: string | null
  /** The verdict of the newest review, if it is about the bead's present work; else left out. */
  review?: { id: string; verdict: ReviewVerdict }
  /** For a follow-up: the branch on which its own execution continues. */
  baseBranch?: string
  /** In progress, and nobody works on it: its last execution failed. Left out where that is not so. */
  failed?: true
  /**
   * The bead that this one only reminds of: what it asks for is done there. It is no work of its own, so it is never
   * ready, and nobody is offered to run it. Left out for work.
   */
  reminderOf?: string
  /** The epic that it is part of. */
  parent?: string
  /** Who works on it, or is meant to, according to the tracker. */
  assignee?: string
}

export type BeadView = BeadCard & {
  description: string
  dependencies: { id: string; type: string; status: Bead['status'] | 'missing'; title: string | null }[]
  dependents: { id: string; type: string; status: Bead['status']; title: string }[]
  executions: ExecutionView[]
}

/** `kind`: `tests_failing`, `merge_conflict`, `execution_failed`, `blocked`, `timeout`. */
export type FollowUpView = { bead: string; kind: string; title: string; status: Bead['status'] }

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
  /** Outcomes of the verification steps, oldest first. */
  verifications: Verification[]
  /** Beads that were filed because of how it ended. */
  followUps: FollowUpView[]
  /** Its containers that may hold work that is saved nowhere else. */
  kept: KeptContainer[]
  /** Weaker tests that a person allowed for the bead; left out where there are none. */
  testsAllowed?: TestsAllowed[]
  /** Sentences about what looks wrong although nothing has failed because of it ("all 3 attempts failed alike"). */
  signs: string[]
  /** `elapsed` limits for people, milliseconds. */
  timeoutMs: number | null
  /** A note about the model where one is needed (it replays a recording, no AI), else null. */
  modelNote: string | null
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

export type Check = { name: string; ok: boolean; text: string; fix?: string }

export type ServerStatus = {
  version: string
  startedAt: number
  /** The server's clock, so that a client can tell ages. */
  now: number
  slots: { total: number; used: number }
  queue: { execution: string; project: string; bead: string; position: number; reason: Reason | null }[]
  running: string[]
  docker: { ok: boolean; text: string; weaker: string[] }
  model: { name: string | null; ok: boolean; text: string }
  disk: { freeBytes: number; ok: boolean }
  /** Why the database cannot be written, and since when; null: it can. What runs continues, and its writes wait. */
  database: { kind: 'busy' | 'no-space' | 'disk'; since: number; text: string } | null
  /** The server's backups of its database: when the newest was made, how many are kept, why one failed. Null: off. */
  backups: { newest: number | null; kept: number; problem: string | null } | null
  figures: Figures
}

export type LogMeta = {
  epoch: string
  lines: number
  bytes: number
  complete: boolean
  blockLines: number
  sections: LogSection[]
}

/**
 * An entry of a log's outline; steps and tool calls are inside sections. `last` is null while it lasts; the `exit` of a
 * call is 0 or 1, that of a step null. Times are the server's.
 */
export type LogSection = {
  kind: 'section' | 'step' | 'call'
  title: string
  command: string | null
  first: number
  last: number | null
  exit: number | null
  startedAt: number
  endedAt: number | null
}

/**
 * An issue of a review. `filed`: a bead was made for it, there was one already, or it is dismissed; null until the
 * review has ended.
 */
export type ReviewIssueView = ReviewIssue & {
  number: number
  outside_diff: boolean
  filed: 'new' | 'known' | 'dismissed' | null
  bead: string | null
  beadStatus: Bead['status'] | null
  /** Why it was dismissed (at least the word "dismissed"); null if it was not. */
  dismissed: string | null
}

/** A review; `id` is that of its execution. */
export type ReviewView = {
  id: string
  project: string
  /** The reviewed bead; null: the work branch. */
  bead: string | null
  branch: string
  /** The pinned diff. */
  from: string
  to: string
  /** Whether the branch is still at `to`; null where that was not checked (in lists). */
  current: boolean | null
  state: Execution['state']
  /** Why it is not running yet, as in the server status; null once it runs or has ended. */
  reason: Reason | null
  /** A sentence about its end. */
  detail: string
  /** The model that reviews; null before its first session, and where a command line chooses. */
  model: string | null
  /** The session whose log to look at: the newest of the reviewer, else the newest. Null before the first one. */
  session: string | null
  /** Null until there is one, and where the review ended without one. */
  verdict: ReviewVerdict | null
  pr_ready: boolean
  /** Why it is not ready. */
  reasons: string[]
  summary: string
  issues: ReviewIssueView[]
  /** Beads from earlier reviews of the same work whose issues this one no longer finds. */
  fixed: { bead: string; title: string }[]
  queuedAt: number
  startedAt: number | null
  endedAt: number | null
  /** Milliseconds in which the server ran; `lasted` knows what to do without it. */
  tookMs?: number
}

/**
 * What has become of a request for a pull request of the work branch.
 *
 * - `reviewing`: the review that comes first is queued or runs.
 * - `opening`: the review called the commit ready; the branch is being pushed and the forge asked, with retries.
 * - `open`: the pull request is at `url`.
 * - `pushed`: the branch is on the remote, but the remote is not a forge that Beadloom knows, or there is no token for
 *   it; `url` is the compare link if there is one.
 * - `not_ready`: the review said no; nothing was opened.
 * - `failed`: something else; `detail` says what to do.
 */
export const pullRequestStates = ['reviewing', 'opening', 'open', 'pushed', 'not_ready', 'failed'] as const
export type PullRequestState = (typeof pullRequestStates)[number]

export type PullRequestView = {
  id: string
  project: string
  state: PullRequestState
  /** The work branch, the branch to merge it into, and the reviewed commit (null before the review has begun). */
  branch: string
  base: string
  commit: string | null
  title: string
  /** The review that comes first, which has the issues. */
  review: string | null
  forge: string | null
  url: string | null
  number: number | null
  /** A sentence: how far it is, or what to do. */
  detail: string
  askedAt: number
  endedAt: number | null
}

/**
 * One answer of the polling endpoint. `next` is the `after` of the next request. `ended`: the execution is over and
 * nothing it does will follow these items, so a reader may stop. (What people later say about a review's issues is an
 * event too.)
 */
export type EventPage = { items: EventView[]; next: string; ended: boolean }

export type DiffFileView = {
  path: string
  oldPath: string | null
  /** Git's letter: A, M, D, R, C, T. */
  status: string
  /** Null for binary files. */
  added: number | null
  removed: number | null
  /** The file's git object, by which a reader can tell that it has not changed; null where it is deleted. */
  blob: string | null
}
/** What an execution changed: the files between the commits `from` and `to`, null until there are any. */
export type DiffView = { from: string | null; to: string | null; files: DiffFileView[] }
/** One commit. `parent` is its first parent, null where it has none. */
export type CommitView = { commit: string; parent: string | null; subject: string; author: string; at: number }
/**
 * What an execution's branch has gained since the execution began: commits, newest first, and whether there are `more`.
 * `conflict`: the branch that its work could not be merged with, and the files; null: there was no conflict.
 */
export type BranchView = {
  from: string | null
  to: string | null
  commits: CommitView[]
  more: boolean
  conflict: { with: string; files: string[] } | null
}
/** One file's unified diff; `truncated` when it was too long to send whole. */
export type PatchView = { path: string; patch: string; truncated: boolean }
