import type { BeadEdit, EditedField, EditedValue, RefusedField } from '@beadloom/core/bead/bead-edit.ts'
import type { Refused } from '@beadloom/core/records/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'

/** People's changes to beads here, until the tracker has them. */
export interface BeadEditStore {
  /**
   * Changes the bead and queues that for its tracker, in one step. A value that the bead has already changes nothing.
   */
  editBead(project: ProjectId, id: BeadId, changes: readonly FieldChange[]): Refused | null
  /** Forgets that these were not written. Changes that still wait for the tracker stay. */
  dismissEdits(project: ProjectId, id: BeadId, fields: readonly RefusedField[]): void
  /** The changes that the tracker does not have: waiting (`problem` is ''), or not to be written. */
  editsOf(project: ProjectId, id: BeadId): KeptEdit[]
  /** The changes that will not be written, by bead: of a project, or of one of its beads. */
  refusedIn(project: ProjectId, id?: BeadId): Map<BeadId, Refusal[]>
  /** The bead's acceptance criteria, including a waiting change; '' if there are none. */
  acceptanceOf(project: ProjectId, id: BeadId): string
  /** The design that its tracker keeps for the bead; '' if there is none. */
  designOf(project: ProjectId, id: BeadId): string
}

export type FieldChange = { field: EditedField; value: EditedValue }

/** For a refused status, `value` is the status that was wanted, and `was` the bead's status here before. */
export type KeptEdit = Omit<BeadEdit, 'field'> & { field: RefusedField; problem: string }
export type Refusal = { field: RefusedField; why: string }
