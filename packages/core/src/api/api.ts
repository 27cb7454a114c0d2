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
import type { Figures } from './figures-api.ts'

export type { Figures } from './figures-api.ts'

/*
 * What the HTTP API takes and gives. Requests are zod schemas (they validate, and the OpenAPI document is made of
 * them); answers are types. Lists are `{"items":[…],"next"?}`, errors `{"error":{"code","message","details?"}}`.
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
  /** Ids of beads of the project that have to be done before it can run. */
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
  /** For this run alone; default: the project's. */
  agent: z.optional(z.enum(agentNames)),
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  ...retryFields,
})
export type QueueExecution = z.infer<typeof QueueExecution>

export const AskReview = z.strictObject({
  /** Without it the whole work branch is reviewed. */
  bead: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  /** Also what was reviewed already. */
  again: z.optional(z.boolean()),
})
export type AskReview = z.infer<typeof AskReview>

export const DismissIssue = z.strictObject({ note: z.optional(z.string().check(z.maxLength(2000))) })
export type DismissIssue = z.infer<typeof DismissIssue>

export const AskPullRequest = z.strictObject({
  /** Default: made of the beads. */
  title: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
})
export type AskPullRequest = z.infer<typeof AskPullRequest>

export type ApiError = { error: { code: string; message: string; details?: unknown } }
export type Page<T> = { items: T[]; next?: string }

/**
 * What keeps a project's beads: `bd`, `jsonl` (its file, directly), `read-only`, `branch` (the base branch's file) or
 * `none`. `text` says it in a sentence. `waiting`: changes that it does not have yet; `problem`: why, '' while they are
 * only on their way.
 */
export type TrackerView = { kind: string; text: string; writable: boolean; waiting: number; problem: string }

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
  /** Warnings from reading its beads: broken lines, duplicate ids, cycles. */
  warnings: string[]
  agent: string
  model: string | null
  modelNote: string | null
  test: string | null
  setup: string | null
  /** What an execution gets whose request says nothing else. */
  retry: RetryPolicy
  maxAttempts: number
  beadCounts: { open: number; in_progress: number; blocked: number; timeout: number; done: number; ready: number }
  syncedAt: number | null
  /** Null before the first look. */
  tracker: TrackerView | null
  /** The newest one that was asked for, in whatever state. */
  pullRequest: PullRequestView | null
  /** What its executions have used today (UTC), of how much; `perDay` null: no limit. */
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
  /** The verdict of the newest review of what it is now; left out while there is none, and when work came after it. */
  review?: { id: string; verdict: ReviewVerdict }
  /** A follow-up bead: the branch that its own execution goes on with. */
  baseBranch?: string
  /** The epic that it is a part of. */
  parent?: string
  /** Who works on it, or shall, by the tracker. */
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
  /** Last thing that happened, for the card ("running npm test"). */
  activity: string | null
  sessions: Session[]
  /** Outcomes of the verification's steps, oldest first. */
  verifications: Verification[]
  /** Beads that were filed because of how it ended. */
  followUps: FollowUpView[]
  /** Sentences about what looks wrong although nothing has failed because of it ("every attempt failed in the same way"). */
  signs: string[]
  /** `elapsed` limits for people, milliseconds. */
  timeoutMs: number | null
  /** What the model is where that matters ("replays a recorded scenario; no AI"), else null. */
  modelNote: string | null
  /** Limits of tokens as they stand now; left out where there are none. */
  tokenLimits?: TokenLimits
  /** Of the prices behind `tokens.costMicros`, ISO 4217. */
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
  paused: boolean
  docker: { ok: boolean; text: string; weaker: string[] }
  model: { name: string | null; ok: boolean; text: string }
  disk: { freeBytes: number; ok: boolean }
  /** The server's own copies of its database: when the newest was made, how many are kept, why there is none. Null: off. */
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
 * An entry of a log's outline; steps and tool calls lie within sections. `last` is null while it goes on; the `exit` of
 * a call is 0 or 1, that of a step null. Times are the server's.
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
 * An issue of a review. `filed`: a bead was made for it; it was one already; it is dismissed; null as long as the review
 * has not ended.
 */
export type ReviewIssueView = ReviewIssue & {
  number: number
  outside_diff: boolean
  filed: 'new' | 'known' | 'dismissed' | null
  bead: string | null
  beadStatus: Bead['status'] | null
  /** Why nobody wants it (at least the word "dismissed"); null as long as it stands. */
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
  /** Whether the branch is still at `to`; null where that was not looked up (in lists). */
  current: boolean | null
  state: Execution['state']
  /** Why it does not run now, as in the status' queue; null where it does, or has ended. */
  reason: Reason | null
  /** A sentence about its end. */
  detail: string
  /** The model that reviews; null before its first session, and where a command line chooses. */
  model: string | null
  /** Its newest session with the reviewer, else with whoever: the log to look at. Null before the first one. */
  session: string | null
  /** Null as long as there is none, and where the review did not come to one. */
  verdict: ReviewVerdict | null
  pr_ready: boolean
  /** Why it is not ready. */
  reasons: string[]
  summary: string
  issues: ReviewIssueView[]
  /** Beads of earlier reviews of the same that this one does not find any more. */
  fixed: { bead: string; title: string }[]
  queuedAt: number
  startedAt: number | null
  endedAt: number | null
}

/**
 * What became of a wish for a pull request of the work branch.
 *
 * - `reviewing`: the review that comes first is queued or runs.
 * - `opening`: the review called the commit ready; the branch is pushed and the forge asked, again while it is away.
 * - `open`: the pull request is there, at `url`.
 * - `pushed`: the remote is no forge that Beadloom knows, or there is no token for it; the branch is there, `url` is the
 *   compare link if there is one.
 * - `not_ready`: the review said no; nothing was opened.
 * - `failed`: something else; `detail` says what to do.
 */
export const pullRequestStates = ['reviewing', 'opening', 'open', 'pushed', 'not_ready', 'failed'] as const
export type PullRequestState = (typeof pullRequestStates)[number]

export type PullRequestView = {
  id: string
  project: string
  state: PullRequestState
  /** The work branch, the branch that it shall go into, and the reviewed commit (null before the review has begun). */
  branch: string
  base: string
  commit: string | null
  title: string
  /** The review that comes first; its issues are with it. */
  review: string | null
  forge: string | null
  url: string | null
  number: number | null
  /** A sentence: where it stands, or what to do. */
  detail: string
  askedAt: number
  endedAt: number | null
}

/**
 * One answer of the polling endpoint. `next` is the `after` of the following request. `ended`: the execution is over
 * and nothing that it does will follow these items, so a reader that has them may stop; what people say of a review's
 * issues later is an event too.
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
  /** The git object that the file is now, by which a reader knows that it has not changed; null where it is deleted. */
  blob: string | null
}
/** What an execution changed: the files between `from` and `to` (commits; null as long as there are none). */
export type DiffView = { from: string | null; to: string | null; files: DiffFileView[] }
/** A commit by itself: `parent` is the first of its parents, null where it has none. */
export type CommitView = { commit: string; parent: string | null; subject: string; author: string; at: number }
/**
 * What an execution's branch has since it began: commits, the newest first, and whether there are `more`. `conflict`: the
 * branch with which its work could not be brought together, and the files; null: it has not come to that.
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
