import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { ExecutionId, ProjectId } from '@beadloom/core/ids.ts'

/**
 * The server's bare clones. Nothing here checks out or runs anything of a repository on the host: it works on bare
 * objects, with hooks, filters, fsmonitor and external diff off. What git or a remote does wrong is a `HubError`.
 */
export interface Hub {
  /** Clones if needed, fetches the project's remote, and says what is there. */
  fetch(project: HubProject, signal?: AbortSignal): Promise<Fetched>
  /** Works without the remote: what the hub holds already. Null when it holds nothing. */
  current(project: HubProject): Promise<Fetched | null>
  /** A file of a commit as text, at most `limitBytes`; null when it is not there or no regular file. */
  readFile(project: ProjectId, commit: string, path: string, limitBytes?: number): Promise<string | null>
  /** Paths in the root folder of a commit. */
  rootFiles(project: ProjectId, commit: string): Promise<string[]>
  /** A stable hash over the contents of these paths at a commit (missing ones count as missing). */
  hashFiles(project: ProjectId, commit: string, paths: string[]): Promise<string>
  /** The commit as a tar stream (a Docker build context). */
  archive(project: ProjectId, commit: string): Promise<Readable>
  /** The work branch's tip, brought up to date with the base branch; created from it when missing. */
  workTip(project: HubProject, workBranch: string, baseBranch: string): Promise<WorkTip>
  /** Creates `branch` at `commit`, or leaves it where it is when it exists. Returns its tip. */
  ensureBranch(project: ProjectId, branch: string, commit: string): Promise<string>
  tip(project: ProjectId, ref: string): Promise<string | null>
  /** Commits reachable from `to` and not from `from`, newest first. */
  commits(project: ProjectId, from: string, to: string, limit?: number): Promise<CommitInfo[]>
  /**
   * Git smart HTTP for one execution: everything may be fetched; only `branch` and `refs/beadloom/{execution}/…` may
   * be pushed, the branch without rewriting it. `pushable` null: read-only. Paths come as `/git/hub.git/…`.
   */
  serve(access: HubAccess): (request: IncomingMessage, response: ServerResponse) => void
  /** Brings `commit` into the branch on bare objects, and moves the branch; no checkout. `tracker`: default `both`. */
  integrate(
    project: ProjectId,
    branch: string,
    commit: string,
    message: string,
    tracker?: TrackerOf,
  ): Promise<Integration>
  /**
   * What `integrate` would put on the branch, without moving it. It is kept where only the server can write, so that a
   * second call for the same two commits answers with the same one, also after a crash.
   */
  candidate(merge: Merge): Promise<Candidate>
  /** What this execution has brought into the branch already: it holds `commit`, and the branch holds it. */
  brought(merge: Omit<Merge, 'message'>): Promise<string | null>
  /** Moves the branch from one commit to another; false, and nothing moved, when it is not at `from` (any more). */
  advance(project: ProjectId, branch: string, from: string | null, to: string): Promise<boolean>
  /** Is `ancestor` part of the history of `commit`? */
  contains(project: ProjectId, commit: string, ancestor: string): Promise<boolean>
  /** The newest commit that both have in their history, or null. */
  mergeBase(project: ProjectId, one: string, other: string): Promise<string | null>
  /**
   * Pushes to the project's remote, never by force: a ref by its name as it is now, or a commit to a ref. What the
   * remote already has is fine.
   */
  publish(project: HubProject, refs: (string | PinnedRef)[], signal?: AbortSignal): Promise<Published>
  /** The tracker's file as base and work branch have it together, by what was fetched last. */
  trackerFile(project: HubProject, branches: TrackerBranches): Promise<TrackerText>
  /**
   * What `edit` makes of `trackerFile` becomes one commit on the work branch as the remote has it, and is pushed. When
   * somebody was there first, `edit` is asked again with what they wrote; it must not depend on how often.
   */
  writeTracker(project: HubProject, branches: TrackerBranches, edit: TrackerEdit): Promise<TrackerWritten>
  diff(project: ProjectId, from: string, to: string, how?: DiffHow): Promise<DiffFile[]>
  patch(
    project: ProjectId,
    from: string,
    to: string,
    path: string,
    limitBytes?: number,
    how?: PatchHow,
  ): Promise<string>
  remove(project: ProjectId): Promise<void>
}

/** `source` is a path or a URL; `baseBranch` null: the remote's default branch. */
export type HubProject = { id: ProjectId; source: string; baseBranch: string | null }

export type Fetched = { baseBranch: string; commit: string; fetchedAt: number }

/**
 * `published` is what the remote has of it: its work branch, or the base branch where it has none. `behind` is a
 * sentence when the base branch could not be merged into the work branch.
 */
export type WorkTip = { commit: string; published: string; behind: string | null }

export type HubAccess = { project: ProjectId; execution: ExecutionId | null; pushable: { branch: string } | null }

/** `parent`: the first one; null: it has none. */
export type CommitInfo = { commit: string; parent: string | null; subject: string; author: string; at: number }

export type Integration =
  | { result: 'merged' | 'fast-forward' | 'already-there'; commit: string }
  | { result: 'conflict'; files: string[]; ours: string; theirs: string }

/** `tracker`: default `both`. */
export type Merge = {
  project: ProjectId
  execution: ExecutionId
  branch: string
  commit: string
  message: string
  tracker?: TrackerOf
}

/**
 * Whose tracker's file (`.beads/issues.jsonl`) a merge has. `both`: where both sides changed it, bead by bead, and never
 * by git's lines. `incoming`: that of the commit that is merged. `trust`: the branch's own, with what these branches of
 * the remote say in that commit; what its author has made of the file does not count.
 */
export type TrackerOf = 'both' | 'incoming' | { trust: readonly string[] }

/**
 * Two files that go back to `former`, brought together bead by bead; where both changed the same, theirs wins. Null: one
 * of them cannot be read as beads.
 */
export type MergeTracker = (former: string, ours: string, theirs: string) => string | null

export type TrackerBranches = { workBranch: string; baseBranch: string }

/** `text` null: no branch has the file. `problem`: a sentence why it cannot be read as one. */
export type TrackerText = { text: string | null; commit: string } | { problem: string }

export type TrackerEdit = (text: string) => { text: string; message: string }

/** `commit` null: the remote has all of it already. `later`: nothing was written; the sentence says why. */
export type TrackerWritten = { result: 'written'; commit: string | null } | { result: 'later'; text: string }

/**
 * `onto` is where the branch was, to compare when it is moved; null: it does not exist yet. `leftOut`: what the commit's
 * author has done to the tracker's file is not in it.
 */
export type Candidate =
  | {
      result: 'merged' | 'fast-forward' | 'already-there'
      commit: string
      onto: string | null
      leftOut?: boolean
    }
  | Extract<Integration, { result: 'conflict' }>

export type PinnedRef = { ref: string; commit: string }

/**
 * Why a ref did not arrive. `moved`: the remote has commits there that were not fetched yet. `refused`: it does not want
 * it (a hook, a protected or checked out branch), and a person decides. `auth`: it wants credentials. `unreachable`:
 * everything that may be better later.
 */
export type PublishProblem = 'moved' | 'refused' | 'auth' | 'unreachable'

/** `failed` names each ref that did not arrive with a sentence why. */
export type Published = { ok: boolean; failed: { ref: string; why: string; kind: PublishProblem }[] }

/** `ignoreSpace`: lines that differ in white space alone are the same. */
export type DiffHow = { ignoreSpace?: boolean }
/** `context`: unchanged lines around each change, 3 without it. */
export type PatchHow = DiffHow & { context?: number }

export type DiffFile = {
  path: string
  oldPath: string | null
  status: string
  added: number | null
  removed: number | null
  /** The object that the file is now; null where it is deleted. */
  blob: string | null
}

export type HubErrorKind =
  | 'missing'
  | 'empty'
  | 'no-default-branch'
  | 'unreachable'
  | 'auth'
  | 'refused'
  | 'timed-out'
  | 'git-failed'

export class HubError extends Error {
  override name = 'HubError'
  readonly kind: HubErrorKind
  constructor(kind: HubErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
