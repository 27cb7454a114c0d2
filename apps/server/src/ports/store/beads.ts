import type { Bead, BeadEvent, BeadStatus, ListedBead, Refused } from '@beadloom/core/records/bead.ts'
import type { FollowUp, FollowUpKind } from '@beadloom/core/bead/follow-up.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'

export interface BeadStore {
  /** Makes the project's beads equal to the tracker's: new, changed and gone ones. Returns the counts. */
  replaceBeads(project: ProjectId, beads: TrackedBead[]): { added: number; changed: number; removed: number }
  /** One part of `replaceBeads`: takes these beads, with their fingerprints. */
  takeBeads(project: ProjectId, beads: readonly Fingerprinted[]): { added: number; changed: number }
  /** One part of `replaceBeads`: drops these beads. Returns those that stay, because somebody works on them. */
  dropBeads(project: ProjectId, ids: readonly string[]): BeadId[]
  /** The stored fingerprint of each; null: there is none, or the bead differs from the tracker's. */
  fingerprints(project: ProjectId, ids: readonly string[]): (string | null)[]
  /** Beads whose version in the tracker was not taken, or has to be taken again. */
  unsettledBeads(project: ProjectId): BeadId[]
  /** The tracker's beads after this id, in order. */
  trackedIds(project: ProjectId, after: string, limit: number): BeadId[]
  addBead(bead: TrackedBead): Bead
  bead(project: ProjectId, id: BeadId): Bead | null
  /** A single one of `beads`. */
  listedBead(project: ProjectId, id: BeadId): ListedBead | null
  beads(project: ProjectId): ListedBead[]
  /** The same by their ids, unordered, straight from the store: to look at, never to keep. */
  beadsById(project: ProjectId): ReadonlyMap<BeadId, ListedBead>
  moveBead(project: ProjectId, id: BeadId, event: BeadEvent): BeadStatus | Refused
}

/** A bead in the tracker's form; `raw` is its own text, kept for the fields that Beadloom does not know. */
export type TrackedBead = Omit<Bead, 'status'> & { status: BeadStatus; raw: string | null }

export type Fingerprinted = { bead: TrackedBead; fingerprint: string }

/** The beads that Beadloom files because of how an execution ended. */
export interface FollowUpStore {
  /**
   * Files the bead that follows from this execution's end, once: null if that has happened already. It files none while
   * the follow-up of the same kind for the same bead is not done, and never one for a follow-up's own failure: the
   * failure becomes an entry in the existing bead. So does a question that is asked again after an answer.
   */
  fileFollowUp(execution: ExecutionId, followUp: FollowUp): { bead: BeadId; filed: 'bead' | 'entry' } | null
  /**
   * Brings follow-ups in line with this execution's end. A completed one closes those of its bead. A running follow-up
   * is closed when its own execution ends; a queued one is closed now, and its execution ends. A cancelled execution
   * reopens the reminders that its start had closed. Safe to repeat.
   *
   * @returns the queued executions that ended
   */
  endFollowUps(execution: ExecutionId): ExecutionId[]
  /** The beads that this execution's end filed, without the bead it worked on. */
  followUpsOf(execution: ExecutionId): FollowUpRow[]
}

export type FollowUpRow = { bead: BeadId; kind: FollowUpKind; title: string; status: BeadStatus }
