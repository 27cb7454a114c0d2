import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Signature } from '@beadloom/core/records/identity.ts'

export type Integration =
  | { result: 'merged' | 'fast-forward' | 'already-there'; commit: string }
  | { result: 'conflict'; files: string[]; ours: string; theirs: string }

/**
 * `tracker`: default `both`. `files`: if nothing else conflicts, these are all taken from the commit `of`; null: from
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
 * The side whose tracker file (`.beads/issues.jsonl`) a merge gets. `both`: if both sides changed it, it is merged bead
 * by bead, never line by line. `incoming`: the merged commit's. `trust`: the branch's own, plus the changes of these
 * remote branches that are in that commit; the commit author's own changes to the file are ignored.
 */
export type TrackerOf = 'both' | 'incoming' | { trust: readonly string[] }

/**
 * Merges two files with the common ancestor `former`, bead by bead; if both changed the same field, `theirs` wins.
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
 * `onto` is the branch's tip, to be compared when it is moved; null: the branch does not exist yet. `leftOut`: the
 * commit author's changes to the tracker's file were left out.
 */
export type Candidate =
  | {
      result: 'merged' | 'fast-forward' | 'already-there'
      commit: string
      onto: string | null
      leftOut?: boolean
    }
  | Extract<Integration, { result: 'conflict' }>

/** `from`: the commit that another was made on: `onto`, or the join of some of those before it. */
export type Join = {
  onto: string
  commits: readonly { commit: string; from: string }[]
  message: string
  ref: string
  by?: Signature
}

/** `at`: the place of the commit that conflicts with those before it. */
export type Joined = { result: 'joined'; commit: string } | { result: 'conflict'; files: string[]; at: number }
