import type { Execution } from '../execution/execution.ts'
import type { Verification } from '../execution/verification.ts'
import type { SessionId } from '../ids.ts'
import type { Bead } from './bead.ts'

/** What a follow-up bead is about. The same kind for the same bead is the same follow-up. */
export type FollowUpKind = 'tests_failing' | 'merge_conflict' | 'execution_failed' | 'blocked' | 'timeout'

/** Everything that is known when an execution has ended. What cannot be read is null or empty. */
export type FollowUpFacts = {
  execution: Execution
  /** The bead that it worked on. */
  bead: Bead
  /** Oldest first. */
  verifications: readonly Verification[]
  /** The last session that printed something, and its last lines. */
  lastSession: SessionId | null
  tail: readonly string[]
  /** Whether the hub has the execution's branch; it may have ended before there was one. */
  branchThere: boolean
  /** The command that brings the branch into a person's clone. */
  fetch: string
  /** The ref of the hub that holds what was not committed. */
  savedRef: string | null
  /** The command that brings it into a person's clone. */
  fetchSaved: string
  /** The refs with what other agents left that worked at the same time. */
  otherRefs?: readonly string[]
  /** Containers that are kept, as what they hold could not be saved. */
  kept: readonly string[]
  conflict: MergeConflict | null
  /** Those of its plan's last phase that are not done. */
  failedSubtasks?: readonly { words: string; why: string }[]
}

/** `ours` is the work branch's commit, `theirs` the one that did not go into it. */
export type MergeConflict = { files: readonly string[]; ours: string; theirs: string }
