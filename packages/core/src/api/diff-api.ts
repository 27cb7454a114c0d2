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
  /** It is no file, or was none. */
  as?: 'link' | 'submodule'
}
/**
 * What an execution changed: the files between the commits `from` and `to`, null until there are any. `more`: changed
 * files beyond those that are listed; left out where there are none.
 */
export type DiffView = { from: string | null; to: string | null; files: DiffFileView[]; more?: number }
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

/** A step of an agent, by its line in the log of a session, from 0. */
export type StepPlace = { execution: string; session: string; attempt: number; line: number }

/** Which step wrote a line of a file, as far as the logs tell: see `WhyLine`. */
export type WhyView = { by: StepPlace | null; sure: boolean; perhaps: StepPlace[] }
