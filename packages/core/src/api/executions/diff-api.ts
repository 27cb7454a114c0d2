export type DiffFileView = {
  path: string
  oldPath: string | null
  /** Git's letter: A, M, D, R, C, T. */
  status: string
  /** Null for binary files. */
  added: number | null
  removed: number | null
  /** The file's git object, by which a reader sees that it has not changed; null if it is deleted. */
  blob: string | null
  /** Present if it is no regular file, or was none. */
  as?: 'link' | 'submodule'
}
/**
 * An execution's changes: the files between the commits `from` and `to`, null until there are any. `more`: the number
 * of changed files that are not listed; left out if all are.
 */
export type DiffView = { from: string | null; to: string | null; files: DiffFileView[]; more?: number }
/** One commit. `parent` is its first parent, null if it has none. */
export type CommitView = { commit: string; parent: string | null; subject: string; author: string; at: number }
/**
 * The new commits of an execution's branch since the execution began, newest first, and whether there are `more`.
 * `conflict`: the branch that its work could not be merged with, and the files; null: there was no conflict.
 */
export type BranchView = {
  from: string | null
  to: string | null
  commits: CommitView[]
  more: boolean
  conflict: { with: string; files: string[] } | null
}
/** One file's unified diff; `truncated` if it was too long to send whole. */
export type PatchView = { path: string; patch: string; truncated: boolean }

/** A step of an agent, by its line in the log of a session, from 0. */
export type StepPlace = { execution: string; session: string; attempt: number; line: number }

/** The step that wrote a line of a file, as far as the logs tell: see `WhyLine`. */
export type WhyView = { by: StepPlace | null; sure: boolean; perhaps: StepPlace[] }
