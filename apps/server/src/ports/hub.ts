import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Identity, Signature } from '@beadloom/core/records/identity.ts'
import type {
  Integration,
  Merge,
  TrackerOf,
  TrackerBranches,
  TrackerText,
  TrackerEdit,
  TrackerWritten,
  Candidate,
  Join,
  Joined,
} from './hub/merges.ts'
import type { FolderImport, FolderImported } from './hub/folder-import.ts'
import type { ListHow, PatchHow, Patch, AddedText, DiffFile, CommitInfo } from './hub/diffs.ts'

/** A base branch that was pushed by force: its tip before, and how many commits of that only the work branch has. */
export type Rewrite = { before: string; commits: number }

/**
 * The server's bare clones. A path is text: bytes that are no UTF-8 are written as `\xE9` (path-text.ts), in every
 * question and answer. Nothing from a repository is checked out or run on the host: all work is on bare objects, with
 * hooks, filters, fsmonitor and external diff off. Failures of git or of a remote are `HubError`s.
 */
export interface Hub {
  /** Whether the commits that it makes are signed with the server's key. */
  readonly signs: boolean
  /**
   * Clones if needed, then fetches the project's remote. If a fetch began less than `freshMs` ago (default 0), its
   * result counts, and the remote is not asked again. `watch` hears how far it is.
   */
  fetch(project: HubProject, signal?: AbortSignal, freshMs?: number, watch?: WatchTransfer): Promise<Fetched>
  /** The folder of a project's bare clone, whether or not it is there. */
  path(project: ProjectId): string
  /** Facts about a repository on this machine that matter for publishing; null: it is elsewhere. Never rejects. */
  local(source: string, branch: string): Promise<LocalRepository | null>
  /** The same for every path to one repository of this machine; null: it is elsewhere, or not there. Never rejects. */
  placeOf(source: string): Promise<string | null>
  /** A branch of the remote at the last fetch whose name rules out a branch of this name; null: there is none. */
  inTheWayOf(project: ProjectId, branch: string): Promise<string | null>
  /** Each earlier tip of a rewritten base branch whose commits the work branch still has. */
  lostByRewrite(project: ProjectId, branches: { baseBranch: string; workBranch: string }): Promise<Rewrite[]>
  /**
   * The number of commits that the remote's work branch had lost at the last fetch: deleted there, or pushed by force.
   */
  lostOnRemote(project: ProjectId, branches: { baseBranch: string; workBranch: string }): Promise<number>
  /** The hub's own copy, without asking the remote; null when it has nothing. */
  current(project: HubProject): Promise<Fetched | null>
  /** The path to which symbolic links within the commit lead, fully resolved; null: they lead nowhere in it. */
  realPath(project: ProjectId, commit: string, path: string): Promise<string | null>
  /** A file of a commit as text; null when it is missing or not a regular file. Throws `FileTooLarge`. */
  readFile(project: ProjectId, commit: string, path: string, limitBytes?: number): Promise<string | null>
  /**
   * Reads several files in the same way, without missing or longer ones, and at most 32 MiB in all.
   *
   * @param unread gets the paths of existing files that were left out: a verdict must not treat them as missing
   */
  readFiles(
    project: ProjectId,
    commit: string,
    paths: readonly string[],
    limitBytes: number,
    unread?: Set<string>,
  ): Promise<Map<string, string>>
  /** Names of the regular files in a folder of a commit; empty if there is no such folder. */
  filesIn(project: ProjectId, commit: string, folder: string): Promise<string[]>
  /** Paths in the root folder of a commit. */
  rootFiles(project: ProjectId, commit: string): Promise<string[]>
  /**
   * Paths of a commit's files in all folders, those nearest to the root first. Looks at no more than `most` files and
   * folders.
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
   * Brings the files of a commit's submodules into the clone if it can. It takes addresses from the base branch's
   * `.gitmodules` alone, and fetches only from the host of the project's own remote, or from folders of its own
   * repository. Rejects only when `signal` aborts.
   */
  fetchModules(project: HubProject, commit: string, how?: FetchingModules): Promise<Modules>
  /** The submodules that are here already; asks no remote. */
  modules(project: ProjectId, commit: string): Promise<Modules>
  /** The work branch's tip, brought up to date with the base branch, and created from it if missing. */
  workTip(project: HubProject, workBranch: string, baseBranch: string, by?: Signature): Promise<WorkTip>
  /** Merges others' pushes to the remote's work branch into ours, but nothing new from the base branch. */
  takeUpWork(project: HubProject, workBranch: string, by?: Signature): Promise<void>
  /** Creates `branch` at `commit`, or leaves it alone if it exists. Returns its tip. */
  ensureBranch(project: ProjectId, branch: string, commit: string): Promise<string>
  tip(project: ProjectId, ref: string): Promise<string | null>
  /**
   * The objects that `commit` has and a clone with all of `has` lacks, as a pack (it may refer to objects there). Null:
   * it would exceed `limitBytes`, takes longer than a moment to make, or one of the two is not here.
   */
  pack(project: ProjectId, commit: string, has: string, limitBytes: number): Promise<Buffer | null>
  /** Commits reachable from `to` and not from `from`, newest first. */
  commits(project: ProjectId, from: string, to: string, limit?: number): Promise<CommitInfo[]>
  /**
   * Git smart HTTP for one execution: everything may be fetched. Only `branch` and `refs/beadloom/{execution}/…` may be
   * pushed, the branch not rewritten, or `only` one ref. `pushable` null: read-only. Paths start with `/git/hub.git/`.
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
  /** Drops the candidates of executions that are over. */
  forgetCandidates(project: ProjectId, isOver: (execution: ExecutionId) => boolean): Promise<void>
  /** Moves the branch from one commit to another. False, and nothing moved, if it is not at `from`. */
  advance(project: ProjectId, branch: string, from: string | null, to: string): Promise<boolean>
  /** Makes one commit on `onto` with the files of `commit`; `onto` if the files are equal. On no ref. */
  flatten(project: ProjectId, what: { onto: string; commit: string; message: string; by?: Signature }): Promise<string>
  /** Name and address with which the user of this server commits, from their git configuration; null: it has none. */
  person(): Promise<Identity | null>
  /** Keeps a commit under a full ref below `refs/beadloom/`; an existing ref is not moved. */
  keep(project: ProjectId, ref: string, commit: string): Promise<void>
  /**
   * One commit on `onto` with all that these commits changed, made on bare objects and kept under `ref`; equal changes
   * give the same commit. Null: none changed anything. A conflict names the first that does not fit those before it.
   */
  join(project: ProjectId, join: Join): Promise<Joined | null>
  /** Is `ancestor` part of the history of `commit`? */
  contains(project: ProjectId, commit: string, ancestor: string): Promise<boolean>
  /** The newest common ancestor of both, or null. */
  mergeBase(project: ProjectId, one: string, other: string): Promise<string | null>
  /**
   * Pushes to the project's remote, never by force: a ref at its current commit, or a given commit to a ref. A ref that
   * the remote already has counts as pushed.
   */
  publish(project: HubProject, refs: (string | PinnedRef)[], signal?: AbortSignal): Promise<Published>
  /** The tracker's file of base and work branch, merged, at the last fetch. */
  trackerFile(project: HubProject, branches: TrackerBranches): Promise<TrackerText>
  /**
   * Applies `edit` to `trackerFile`, commits the result on top of the remote's work branch, and pushes it. When
   * somebody else was faster, `edit` is called again with their version, any number of times.
   */
  writeTracker(project: HubProject, branches: TrackerBranches, edit: TrackerEdit): Promise<TrackerWritten>
  /**
   * Makes a commit from a folder's tar stream, without the files that the folder's own rules ignore, on a new ref.
   * Null, and no ref, when it has exactly the files of `onto`.
   */
  importFolder(project: ProjectId, folder: FolderImport): Promise<FolderImported>
  /**
   * The number of lines in the commit's text files that match this POSIX extended regular expression; `paths`: only in
   * these files and folders, taken literally.
   */
  matchingLines(project: ProjectId, commit: string, pattern: string, paths?: readonly string[]): Promise<number>
  diff(project: ProjectId, from: string, to: string, how?: ListHow): Promise<DiffFile[]>
  /** The lines that `to` adds to `from`, as patches without context, and commits' messages; lock files are left out. */
  addedText(project: ProjectId, from: string, to: string): Promise<AddedText>
  /** The bytes of files by their ids, smallest first while there is room; a number: the size of a too large one. */
  contents(project: ProjectId, objects: readonly string[]): Promise<Map<string, Uint8Array | number>>
  /** Which of these texts of one line are in the files of a commit. */
  textsIn(project: ProjectId, commit: string, texts: readonly string[]): Promise<Set<string>>
  /**
   * Whether two commits hold the same work: beads written between them do not change the judged work. False if one of
   * them is gone. Quick: starts no git.
   */
  isSameWork(project: ProjectId, one: string, other: string): Promise<boolean>
  /** One file's patch, at most `limitBytes` of it (1 MiB). `unreadable`: its lines differ, and git shows none of them. */
  patch(project: ProjectId, from: string, to: string, path: string, limitBytes?: number, how?: PatchHow): Promise<Patch>
  remove(project: ProjectId): Promise<void>
  /** Until it is settled, the clone may belong to no project: it is being added or removed. */
  unsettled(project: ProjectId): Promise<void>
  settled(project: ProjectId): Promise<void>
  /** Removes unsettled clones of an earlier server that belong to no project. */
  dropUnsettled(isProject: (id: string) => boolean): Promise<void>
  /** Ends the processes that read clones and stay ready for questions. The hub can still be used. */
  close(): Promise<void>
}

/** `source` is a path or a URL; `baseBranch` null: the remote's default branch. */
export type HubProject = { id: ProjectId; source: string; baseBranch: string | null }

/** `here`: nested ones follow their parent. `missing`: `why` is the end of a sentence; `fix` null: the usual one. */
export type Modules = {
  here: { path: string; commit: string }[]
  missing: { path: string; why: string; fix: string | null }[]
}

/** The progress of a transfer; `percent` and `bytes` are of its present part. */
export type Transfer = { doing: string; percent: number | null; bytes: number | null }
/** `anew`: asks again for submodules that failed a moment ago. */
export type FetchingModules = { signal?: AbortSignal | undefined; watch?: WatchTransfer; anew?: boolean }
export type WatchTransfer = (transfer: Transfer) => void

export type Fetched = { baseBranch: string; commit: string; fetchedAt: number }

/**
 * `published` is the remote's commit: that of its work branch, or of the base branch if there is no work branch.
 * `behind` is a sentence when the base branch could not be merged into the work branch.
 */
export type WorkTip = { commit: string; published: string; behind: string | null }

export type HubAccess = { project: ProjectId; execution: ExecutionId | null; pushable: Pushable | null }

/** One session's access to a hub. */
export type GitDoor = {
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Takes the right to push. When it resolves, no push through this door moves anything any more: pushes in progress
   * have ended, and later ones are refused, wherever they come from.
   */
  revoke: () => Promise<void>
}

/** `only`: one full ref and nothing else, for a subtask's commit. */
export type Pushable = { branch: string } | { only: string }

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
 * hooks that a push would run; publishing does not run them.
 */
export type LocalRepository = { checkedOutIn: string | null; hooks: string[] }

export type HubErrorKind =
  | 'missing'
  | 'empty'
  /** A repository of this machine that is incomplete: shallow, partial, … */
  | 'incomplete'
  | 'no-default-branch'
  | 'unreachable'
  | 'auth'
  | 'refused'
  | 'timed-out'
  /** A git that even SIGKILL does not end, because its disk does not answer: it is left alone. */
  | 'hangs'
  /** The disk under the server, or its user's quota, is full. */
  | 'no-space'
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

/** A file of a commit has more bytes than the caller reads. */
export class FileTooLarge extends HubError {
  readonly bytes: number
  constructor(message: string, bytes: number) {
    super('refused', message)
    this.bytes = bytes
  }
}
