import type { Execution } from '../records/execution.ts'
import type { Verification } from '../records/verification.ts'
import type { SessionId } from '../records/ids.ts'
import type { Bead } from '../records/bead.ts'

/** The subject of a follow-up. The same kind for the same bead is the same follow-up. */
export type FollowUpKind = 'tests_failing' | 'merge_conflict' | 'execution_failed' | 'blocked' | 'timeout'

/** All facts about an ended execution. Facts that cannot be read are null or empty. */
export type FollowUpFacts = {
  execution: Execution
  /** The bead that it worked on. */
  bead: Bead
  /** Oldest first. */
  verifications: readonly Verification[]
  /** The last session that printed something, and its last lines. */
  lastSession: SessionId | null
  tail: readonly string[]
  /** Whether the hub has the execution's branch; the execution may have ended before there was one. */
  branchThere: boolean
  /** The command that fetches the branch into a person's clone. */
  fetch: string
  /** The ref of the hub with the uncommitted changes. */
  savedRef: string | null
  /** The command that fetches that ref into a person's clone. */
  fetchSaved: string
  /** The refs with the work of other agents that worked at the same time. */
  otherRefs?: readonly string[]
  /** Containers that are kept because their work could not be saved. */
  kept: readonly string[]
  conflict: MergeConflict | null
  /** Subtasks of its plan's last phase that are not done. */
  failedSubtasks?: readonly { words: string; why: string }[]
}

/** `ours` is the work branch's commit, `theirs` the one that could not be merged into it. */
export type MergeConflict = { files: readonly string[]; ours: string; theirs: string }
