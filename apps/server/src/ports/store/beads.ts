import type { Bead, BeadEvent, BeadStatus, ListedBead, Refused } from '@beadloom/core/bead/bead.ts'
import type { FollowUp, FollowUpKind } from '@beadloom/core/bead/follow-up.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/ids.ts'

export interface BeadStore {
  /** Makes the project's beads equal to the tracker's: new, changed and gone ones. Returns what changed. */
  replaceBeads(project: ProjectId, beads: TrackedBead[]): { added: number; changed: number; removed: number }
  /** A part of the same: these, with their fingerprints. */
  takeBeads(project: ProjectId, beads: readonly Fingerprinted[]): { added: number; changed: number }
  /** A part of the same: these are gone. Returns those that stay, because somebody works on them. */
  dropBeads(project: ProjectId, ids: readonly string[]): BeadId[]
  /** The stored fingerprint of each; null: there is none, or the bead is not as the tracker has it. */
  fingerprints(project: ProjectId, ids: readonly string[]): (string | null)[]
  /** Beads of which the tracker's version was not taken, or has to be taken again. */
  unsettledBeads(project: ProjectId): BeadId[]
  /** The tracker's beads after this id, in order. */
  trackedIds(project: ProjectId, after: string, limit: number): BeadId[]
  addBead(bead: TrackedBead): Bead
  bead(project: ProjectId, id: BeadId): Bead | null
  /** A single one of `beads`. */
  listedBead(project: ProjectId, id: BeadId): ListedBead | null
  beads(project: ProjectId): ListedBead[]
  /** The same by their ids, in no order, as the store has them: for a look, and never to be kept. */
  beadsById(project: ProjectId): ReadonlyMap<BeadId, ListedBead>
  moveBead(project: ProjectId, id: BeadId, event: BeadEvent): BeadStatus | Refused
}

/** A bead as the tracker gives it; `raw` is its own text, kept for what Beadloom does not know. */
export type TrackedBead = Omit<Bead, 'status'> & { status: BeadStatus; raw: string | null }

export type Fingerprinted = { bead: TrackedBead; fingerprint: string }

/** The beads that Beadloom files because of how an execution ended. */
export interface FollowUpStore {
  /**
   * Files the bead that follows from this execution's end, once: null when that has happened already. No bead is filed
   * while the follow-up of the same kind for the same bead is not done, and never for a follow-up's own failure: the
   * failure becomes an entry in the bead that exists. So does a question that is asked again after an answer.
   */
  fileFollowUp(execution: ExecutionId, followUp: FollowUp): { bead: BeadId; filed: 'bead' | 'entry' } | null
  /**
   * Brings follow-ups in line with this execution's end. A completed one closes those of its bead. A follow-up that is
   * running is closed when its own execution ends; one that is queued is closed now, and its execution ends. A cancelled
   * one reopens the reminders that its start had closed. Safe to repeat.
   *
   * @returns the queued executions that ended
   */
  endFollowUps(execution: ExecutionId): ExecutionId[]
  /** The beads that were filed because of how this execution ended, without the bead it worked on. */
  followUpsOf(execution: ExecutionId): FollowUpRow[]
}

export type FollowUpRow = { bead: BeadId; kind: FollowUpKind; title: string; status: BeadStatus }
