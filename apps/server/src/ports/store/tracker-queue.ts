import type { BeadEdit } from '@beadloom/core/bead/bead-edit.ts'
import type { Bead } from '@beadloom/core/records/bead.ts'
import type { BeadWords } from '../bead-words.ts'
import type { OverruledField } from '../tracker.ts'
import type { WaitingChange } from '@beadloom/core/api/projects/sync-api.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'

/** Changes that the tracker does not have yet. Triggers queue them, in the transaction of the change itself. */
export interface TrackerQueue {
  /** Changes that are due at `now`, with a `seq` above `after`, oldest first: the order to write them in. */
  trackerQueue(project: ProjectId, now: number, after: number, limit: number): QueuedChange[]
  trackerState(project: ProjectId): TrackerState
  /** The waiting changes, oldest first, for people. */
  trackerWaiting(project: ProjectId, limit: number): WaitingChange[]
  /**
   * The tracker has it. `word`: the bead's status there, which becomes the one last seen. `overruled`: the parts of an
   * edit that were left out.
   */
  trackerHas(change: QueuedChange, word: string | null, overruled?: readonly OverruledField[]): void
  /** It will not be written; `text` says why, in its history and, for a person's change, beside the bead. */
  trackerDropped(change: QueuedChange, text: string): void
  /**
   * The bead's texts have changed: an execution's success does not close it, and flags that. Without one: no effect.
   */
  trackerOutdated(project: ProjectId, bead: BeadId, changed: readonly string[]): void
  /** The texts of a completed bead that differ from those that its last execution was given. */
  changedSince(project: ProjectId, bead: BeadId): string[]
  /** Filed here, and not in the tracker yet. */
  isUnfiled(project: ProjectId, bead: BeadId): boolean
  /** The bead is claimed there for an execution that is about to start; the bead itself moves when it starts. */
  trackerClaimed(project: ProjectId, bead: BeadId, word: string): void
  /** Somebody else has claimed it there. */
  trackerTaken(project: ProjectId, bead: BeadId, by: string): void
  /** To be tried again at `dueAt`. */
  trackerLater(change: QueuedChange, dueAt: number, problem: string): void
}

/** No change is told to wait longer. A longer wait comes from a wall clock that was wrong, so the change is due. */
export const LONGEST_WAIT_MS = 10 * 60_000

export type QueuedChange = {
  seq: number
  rev: number
  tries: number
  kind: 'create' | 'status' | 'describe' | 'comment'
  project: ProjectId
  bead: BeadId
  execution: ExecutionId | null
  /** The bead as it is now, and the newest execution of it. */
  content: Bead
  /** Beadloom works on the bead now. */
  held: boolean
  /** The bead and execution that closed it, if that execution worked on the bead that it was filed for. */
  closedWith: { bead: BeadId; execution: ExecutionId } | null
  raw: string | null
  /** With a `describe`: people's changes here. */
  edits: readonly BeadEdit[]
  newest: ExecutionId | null
  /** The texts that the completing execution was given, if the bead is to be closed for them. */
  given: Partial<BeadWords> | null
}

/** `dueAt`: when the first change may be tried; `problem`: why the last try failed, '' if none did. */
export type TrackerState = { waiting: number; dueAt: number | null; problem: string }
