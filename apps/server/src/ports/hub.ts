import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { CommitView, DiffFileView } from '@beadloom/core/api/diff-api.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/ids.ts'
import type { Identity, Signature } from '@beadloom/core/project/identity.ts'
import type { WholeBytes } from './whole-bytes.ts'

/** A base branch that was pushed by force: where it stood, and how many commits of that are only in the work branch. */
export type Rewrite = { before: string; commits: number }

/**
 * The server's bare clones. A path is text: one whose bytes are no UTF-8 has `\xE9` for each of those (path-text.ts), in
 * what is asked and in every answer. Nothing from a repository is checked out or run on the host: all work is on bare objects,
 * with hooks, filters, fsmonitor and external diff off. Failures of git or of a remote are `HubError`s.
 */
export interface Hub {
  /** Whether the commits that it makes are signed with the server's key. */
  readonly signs: boolean
  /**
   * Clones if needed, then fetches the project's remote. What a fetch brought that began less than `freshMs` ago (0
   * if not given) counts, and the remote is not asked again. `watch` hears how far it is.
   */
  fetch(project: HubProject, signal?: AbortSignal, freshMs?: number, watch?: WatchTransfer): Promise<Fetched>
  /** The folder of a project's bare clone, whether or not it is there. */
  path(project: ProjectId): string
  /** What a repository on this machine has that publishing to it will meet; null: it is elsewhere. Never rejects. */
  local(source: string, branch: string): Promise<LocalRepository | null>
  /** The same for every path to one repository of this machine; null: it is elsewhere, or not there. Never rejects. */
  placeOf(source: string): Promise<string | null>
  /** A branch of the remote, as of the last fetch, beside which there can be none of this name; null: there can. */
  inTheWayOf(project: ProjectId, branch: string): Promise<string | null>
  /** Each place where the base branch stood before somebody rewrote it, of which the work branch still has commits. */
  lostByRewrite(project: ProjectId, branches: { baseBranch: string; workBranch: string }): Promise<Rewrite[]>
  /** How many commits the remote's work branch has lost, as of the last fetch: deleted there, or pushed by force. */
  lostOnRemote(project: ProjectId, branches: { baseBranch: string; workBranch: string }): Promise<number>
  /** What the hub already has, without asking the remote; null when it has nothing. */
  current(project: HubProject): Promise<Fetched | null>
  /** The path to which symbolic links within the commit lead, without any of them; null: they lead nowhere in it. */
  realPath(project: ProjectId, commit: string, path: string): Promise<string | null>
  /** A file of a commit as text, at most `limitBytes`; null when it is missing or not a regular file. */
  readFile(project: ProjectId, commit: string, path: string, limitBytes?: number): Promise<string | null>
  /**
   * The same of several files, without those that are missing, longer, or beyond 32 MiB of all of them.
   *
   * @param unread gets the paths of those that are there and were left out: a verdict takes none of them for nothing
   */
  readFiles(
    project: ProjectId,
    commit: string,
    paths: readonly string[],
    limitBytes: number,
    unread?: Set<string>,
  ): Promise<Map<string, string>>
  /** Names of the regular files in a folder of a commit; none where there is no such folder. */
  filesIn(project: ProjectId, commit: string, folder: string): Promise<string[]>
  /** Paths in the root folder of a commit. */
  rootFiles(project: ProjectId, commit: string): Promise<string[]>
  /**
   * Paths of a commit's files in all folders, those nearest to the root first. At most `most` files and folders are
   * looked at, however many a commit has.
   */
  paths(project: ProjectId, commit: string, most: number): Promise<string[]>
  /** A stable hash over the contents of these paths at a commit (missing ones count as missing). */
  hashFiles(project: ProjectId, commit: string, paths: string[]): Promise<string>
  /**
   * The commit, or one folder of it, as a tar stream (a Docker build context). `refused`: there is no such folder, or, in
   * the stream, it has more than `limitBytes` (4 GiB).
   */
  archive(project: ProjectId, commit: string, folder?: string, limitBytes?: number): Promise<Readable>
  /**
   * Brings the files of a commit's submodules into the clone, where they can be had: from where the base branch's
   * `.gitmodules` says, and from nowhere but the project's own remote's host, or folders of its own repository. Rejects
   * only when `signal` aborts.
   */
  fetchModules(project: HubProject, commit: string, how?: FetchingModules): Promise<Modules>
  /** The same of what is here, without asking anybody. */
  modules(project: ProjectId, commit: string): Promise<Modules>
  /** The work branch's tip, brought up to date with the base branch; created from it when missing. */
  workTip(project: HubProject, workBranch: string, baseBranch: string, by?: Signature): Promise<WorkTip>
  /** The work branch with what somebody pushed to the remote's, and without what is new on the base branch. */
  takeUpWork(project: HubProject, workBranch: string, by?: Signature): Promise<void>
  /** Creates `branch` at `commit`, or leaves it alone if it exists. Returns its tip. */
  ensureBranch(project: ProjectId, branch: string, commit: string): Promise<string>
  tip(project: ProjectId, ref: string): Promise<string | null>
  /**
   * What `commit` has and a clone with all of `has` lacks, as a pack (it may lean on objects of that clone). Null: it would be
   * longer than `limitBytes`, takes longer than a moment to make, or one of the two is not here.
   */
  pack(project: ProjectId, commit: string, has: string, limitBytes: number): Promise<Buffer | null>
  /** Commits reachable from `to` and not from `from`, newest first. */
  commits(project: ProjectId, from: string, to: string, limit?: number): Promise<CommitInfo[]>
  /**
   * Git smart HTTP for one execution: everything may be fetched; only `branch` and `refs/beadloom/{execution}/…` may be
   * pushed, and the branch not rewritten; or `only` one ref. `pushable` null: read-only. Paths start with `/git/hub.git/`.
   */
  serve(access: HubAccess): GitDoor
  /**
   * Merges `commit` into the branch on bare objects, without a checkout, and moves the branch. `tracker`: default
   * `both`.
   */
  integrate(
    project: ProjectId,
    branch: string,
    commit: string,
    message: string,
    tracker?: TrackerOf,
    by?: Signature,
  ): Promise<Integration>
  /**
   * The commit that `integrate` would put on the branch, without moving it. It is kept where only the server can write,
   * so that a second call for the same two commits returns the same one, even after a crash.
   */
  candidate(merge: Merge): Promise<Candidate>
  /** The commit by which this execution has already merged `commit` into the branch, or null. */
  brought(merge: Omit<Merge, 'message'>): Promise<string | null>
  /** Nobody asks any more for the candidates of executions that are over. */
  forgetCandidates(project: ProjectId, isOver: (execution: ExecutionId) => boolean): Promise<void>
  /** Moves the branch from one commit to another. False, and nothing moved, if it is not at `from`. */
  advance(project: ProjectId, branch: string, from: string | null, to: string): Promise<boolean>
  /** One commit on `onto` with the files of `commit`, whatever is between them; `onto` where they are the same. On no ref. */
  flatten(project: ProjectId, what: { onto: string; commit: string; message: string; by?: Signature }): Promise<string>
  /** As whom whoever runs the server commits, by their own configuration of git; null: it does not say. */
  person(): Promise<Identity | null>
  /** Keeps a commit under a full ref below `refs/beadloom/`; one that is there already stays. */
  keep(project: ProjectId, ref: string, commit: string): Promise<void>
  /**
   * One commit on `onto` with all that these commits changed, made on bare objects and kept under `ref`; the same one as
   * long as they come to the same. Null: none of them changed anything. A conflict names the first that does not fit to those before it.
   */
  join(project: ProjectId, join: Join): Promise<Joined | null>
  /** Is `ancestor` part of the history of `commit`? */
  contains(project: ProjectId, commit: string, ancestor: string): Promise<boolean>
  /** The newest common ancestor of both, or null. */
  mergeBase(project: ProjectId, one: string, other: string): Promise<string | null>
  /**
   * Pushes to the project's remote, never by force: a ref at its current commit, or a given commit to a ref. A ref that
   * is there already counts as pushed.
   */
  publish(project: HubProject, refs: (string | PinnedRef)[], signal?: AbortSignal): Promise<Published>
  /** The tracker's file of base and work branch, merged, as of the last fetch. */
  trackerFile(project: HubProject, branches: TrackerBranches): Promise<TrackerText>
  /**
   * Applies `edit` to `trackerFile`, commits the result on top of the remote's work branch, and pushes it. When
   * somebody else was faster, `edit` is called again with their version, any number of times.
   */
  writeTracker(project: HubProject, branches: TrackerBranches, edit: TrackerEdit): Promise<TrackerWritten>
  /**
   * A commit of a folder that comes as a tar stream, without what its own rules ignore, on a ref that is not there yet.
   * Null, and no ref, when it has exactly the files of `onto`.
   */
  importFolder(project: ProjectId, folder: FolderImport): Promise<FolderImported>
  /**
   * How many lines of the commit's text files match this POSIX extended regular expression; `paths`: only in these files
   * and folders, taken literally.
   */
  matchingLines(project: ProjectId, commit: string, pattern: string, paths?: readonly string[]): Promise<number>
  diff(project: ProjectId, from: string, to: string, how?: ListHow): Promise<DiffFile[]>
  /** The lines that `to` adds to `from`, as patches without context, and messages of commits; lock files are left out. */
  addedText(project: ProjectId, from: string, to: string): Promise<AddedText>
  /** The bytes of files by their ids, smallest first as long as there is room; a number: a size that is too large. */
  contents(project: ProjectId, objects: readonly string[]): Promise<Map<string, Uint8Array | number>>
  /** Which of these texts of one line are in the files of a commit. */
  textsIn(project: ProjectId, commit: string, texts: readonly string[]): Promise<Set<string>>
  /**
   * Whether two commits hold the same work: beads written between them do not change what was judged. False where one of
   * them is gone. Quick: no git is started for it.
   */
  isSameWork(project: ProjectId, one: string, other: string): Promise<boolean>
  /** One file's patch, at most `limitBytes` of it (1 MiB). `unreadable`: its lines differ, and git shows none of them. */
  patch(project: ProjectId, from: string, to: string, path: string, limitBytes?: number, how?: PatchHow): Promise<Patch>
  remove(project: ProjectId): Promise<void>
  /** Until it is settled, its clone may be no project's: it is being added or removed. */
  unsettled(project: ProjectId): Promise<void>
  settled(project: ProjectId): Promise<void>
  /** Removes unsettled clones of an earlier server that are no project's. */
  dropUnsettled(isProject: (id: string) => boolean): Promise<void>
  /** Ends the processes that read clones and wait for the next question. The hub can still be used. */
  close(): Promise<void>
}

/** `source` is a path or a URL; `baseBranch` null: the remote's default branch. */
export type HubProject = { id: ProjectId; source: string; baseBranch: string | null }

/** `here`: those within another after it. `missing`: `why` is the end of a sentence; `fix` null: the usual. */
export type Modules = {
  here: { path: string; commit: string }[]
  missing: { path: string; why: string; fix: string | null }[]
}

/** How far a transfer is; `percent` and `bytes` are of its present part. */
export type Transfer = { doing: string; percent: number | null; bytes: number | null }
/** `anew`: what could not be had a moment ago is asked for again. */
export type FetchingModules = { signal?: AbortSignal | undefined; watch?: WatchTransfer; anew?: boolean }
export type WatchTransfer = (transfer: Transfer) => void

export type Fetched = { baseBranch: string; commit: string; fetchedAt: number }

/**
 * `published` is the remote's commit: of its work branch, or of the base branch if it has none. `behind` is a sentence
 * when the base branch could not be merged into the work branch.
 */
export type WorkTip = { commit: string; published: string; behind: string | null }

export type HubAccess = { project: ProjectId; execution: ExecutionId | null; pushable: Pushable | null }

/** What one session has of a hub. */
export type GitDoor = {
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Takes the right to push. When it resolves, no push that came in here moves anything any more: those in progress have
   * ended, and later ones are refused, wherever they come from.
   */
  revoke: () => Promise<void>
}

/** `only`: a full ref, and nothing else: what a subtask leaves. */
export type Pushable = { branch: string } | { only: string }

/** As the API shows it. */
export type CommitInfo = CommitView

export type Integration =
  | { result: 'merged' | 'fast-forward' | 'already-there'; commit: string }
  | { result: 'conflict'; files: string[]; ours: string; theirs: string }

/**
 * `tracker`: default `both`. `files`: where nothing but these conflicts, all of them are as in the commit `of`; null: as on
 * the branch.
 */
export type Merge = {
  project: ProjectId
  execution: ExecutionId
  branch: string
  commit: string
  message: string
  files?: { paths: readonly string[]; of: string | null }
  tracker?: TrackerOf
  by?: Signature
}

/**
 * Whose tracker file (`.beads/issues.jsonl`) a merge gets. `both`: if both sides changed it, it is merged bead by bead,
 * never line by line. `incoming`: that of the merged commit. `trust`: the branch's own, plus what these branches of the
 * remote say in that commit; the commit author's own changes to the file are ignored.
 */
export type TrackerOf = 'both' | 'incoming' | { trust: readonly string[] }

/**
 * Merges two files with the common ancestor `former`, bead by bead; where both changed the same field, theirs wins.
 * Null: one of them cannot be read as beads.
 */
export type MergeTracker = (former: string, ours: string, theirs: string) => string | null | Promise<string | null>

export type TrackerBranches = { workBranch: string; baseBranch: string; by?: Signature }

/** `text` null: no branch has the file. `problem`: why it cannot be read. */
export type TrackerText = { text: string | null; commit: string } | { problem: string }

export type TrackerEdit = (text: string) => EditedText | Promise<EditedText>
type EditedText = { text: string; message: string }

/** `commit` null: the remote already had all of it. `later`: nothing was written; the sentence says why. */
export type TrackerWritten = { result: 'written'; commit: string | null } | { result: 'later'; text: string }

/**
 * `onto` is where the branch was, to be compared when it is moved; null: it does not exist yet. `leftOut`: the commit
 * author's changes to the tracker's file were left out.
 */
export type Candidate =
  | {
      result: 'merged' | 'fast-forward' | 'already-there'
      commit: string
      onto: string | null
      leftOut?: boolean
    }
  | Extract<Integration, { result: 'conflict' }>

/** `from`: what a commit was made on: `onto`, or what some of those before it come to together. */
export type Join = {
  onto: string
  commits: readonly { commit: string; from: string }[]
  message: string
  ref: string
  by?: Signature
}

/** `at`: the place of the commit that conflicts with those before it. */
export type Joined = { result: 'joined'; commit: string } | { result: 'conflict'; files: string[]; at: number }

export type PinnedRef = { ref: string; commit: string }

/**
 * Why a ref was not pushed. `moved`: the remote has commits there that were not fetched yet. `refused`: the remote
 * rejects it (a hook, a protected or checked out branch), and a person has to decide. `auth`: it wants credentials.
 * `unreachable`: anything that may work later.
 */
export type PublishProblem = 'moved' | 'refused' | 'auth' | 'unreachable'

/** `failed`: each ref that was not pushed, with a sentence why. */
export type Published = { ok: boolean; failed: { ref: string; why: string; kind: PublishProblem }[] }

/**
 * `checkedOutIn`: the working tree that has the branch checked out, so that no push can move it; null: none. `hooks`:
 * those that a push would run, and publishing does not.
 */
export type LocalRepository = { checkedOutIn: string | null; hooks: string[] }

/**
 * `onto`: the commit below; null: there is none. `tar` is called twice; the paths of the stream begin with the folder's
 * own name.
 */
export type FolderImport = {
  ref: string
  onto: string | null
  message: string
  tar: () => Promise<Readable>
  by?: Signature
  /** A commit that an earlier import has made: the same files make no further one. */
  before?: string | null
  /** How much it may hold; default 2 GiB. The smallest files go first. */
  mostBytes?: number
}

/** `commit` null: the folder has exactly what `onto` has. `left`: files that did not fit, the largest first. */
export type FolderImported = { commit: string | null; left: { path: string; size: number }[] }

const LEFT_NAMED = 5

/** "model.bin (3.2 GiB), data.csv (900 MiB) and 2 more". */
export const namedLeft = (left: FolderImported['left']): string => {
  const named = left.slice(0, LEFT_NAMED).map(({ path, size }) => `${oneLine(path)} (${bytesText(size)})`)
  const more = left.length > LEFT_NAMED ? ` and ${left.length - LEFT_NAMED} more` : ''
  return `${named.join(', ')}${more}`
}

/** `ignoreSpace`: lines that differ only in white space count as equal. */
export type DiffHow = { ignoreSpace?: boolean }
/** `lines`: only files in which a line that matches this POSIX extended regular expression came or went. */
export type ListHow = DiffHow & { lines?: string }
/** `context`: unchanged lines around each change; default 3. `text`: lines of a file that git takes for binary, too. */
export type PatchHow = DiffHow & { context?: number; text?: boolean }

/** A unified diff of whole lines; empty if the file has not changed. `cut`: its end is missing, because it was too long. */
export type Patch = { text: string; cut: boolean }

/**
 * `each`: of each commit that the remote does not have, as `git log` prints it. `messages`: theirs, with the names of who made
 * them. `cut`: a part is missing at the end of one of them.
 */
export type AddedText = { whole: Uint8Array; each: Uint8Array; messages: WholeBytes[]; cut: boolean }

/** As the API shows it. */
export type DiffFile = DiffFileView

export type HubErrorKind =
  | 'missing'
  | 'empty'
  /** A repository of this machine that is less than whole: shallow, partial, … */
  | 'incomplete'
  | 'no-default-branch'
  | 'unreachable'
  | 'auth'
  | 'refused'
  | 'timed-out'
  /** A git that not even SIGKILL ends, because its disk does not answer: it is left to itself. */
  | 'hangs'
  | 'unreadable'
  | 'git-failed'

export class HubError extends Error {
  override name = 'HubError'
  readonly kind: HubErrorKind
  constructor(kind: HubErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
