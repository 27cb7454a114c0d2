import type { Bead } from '@beadloom/core/bead/bead.ts'
import type { BeadWords } from '../bead-words.ts'
import type { WaitingChange } from '@beadloom/core/api/sync-api.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/ids.ts'

/** What the store remembers of what the tracker does not have yet. Rows come by themselves, with what they are about. */
export interface TrackerQueue {
  /** Due at `now`, with a `seq` after `after`, oldest first. A bead's rows come in the order in which they must be written. */
  trackerQueue(project: ProjectId, now: number, after: number, limit: number): QueuedChange[]
  trackerState(project: ProjectId): TrackerState
  /** What waits, oldest first, for people to look at. */
  trackerWaiting(project: ProjectId, limit: number): WaitingChange[]
  /** The tracker has it. `word`: its status of the bead there, from now on the one that was last seen. */
  trackerHas(change: QueuedChange, word: string | null): void
  /** It will not be written; `text` says why, in the bead's history. */
  trackerDropped(change: QueuedChange, text: string): void
  /** What it asks for has changed: an execution's success does not close it, and says so. Nothing where nobody asks. */
  trackerOutdated(project: ProjectId, bead: BeadId, changed: readonly string[]): void
  /** The texts of a bead that its last execution completed which are others now than what that was given. */
  changedSince(project: ProjectId, bead: BeadId): string[]
  /** Made here, and not in the tracker yet. */
  isUnfiled(project: ProjectId, bead: BeadId): boolean
  /** Claimed there for an execution that is to start; the bead itself moves with that. */
  trackerClaimed(project: ProjectId, bead: BeadId, word: string): void
  /** Somebody else has claimed it there. */
  trackerTaken(project: ProjectId, bead: BeadId, by: string): void
  /** It was claimed and did not start: the tracker gets its own status back. */
  trackerReleased(project: ProjectId, bead: BeadId): void
  /** Not now. */
  trackerLater(change: QueuedChange, dueAt: number, problem: string): void
}

/** `was`: the description that the tracker was last seen with. */
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
  raw: string | null
  newest: ExecutionId | null
  /** What the execution that it is done by was given, where that still matters. */
  given: Partial<BeadWords> | null
}

/** `dueAt`: when the first of them may be tried; `problem`: why the last try failed, '' when none did. */
export type TrackerState = { waiting: number; dueAt: number | null; problem: string }
