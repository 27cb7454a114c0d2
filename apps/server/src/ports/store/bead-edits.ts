import type { BeadEdit, EditedField, EditedValue, RefusedField } from '@beadloom/core/bead/bead-edit.ts'
import type { Refused } from '@beadloom/core/bead/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/ids.ts'

/** What people change of beads here, until the tracker has it. */
export interface BeadEditStore {
  /**
   * Changes the bead and queues that for its tracker, in one step. A value that is what the bead has already changes
   * nothing.
   */
  editBead(project: ProjectId, id: BeadId, changes: readonly FieldChange[]): Refused | null
  /** Forgets that these were not written. What still waits for the tracker stays. */
  dismissEdits(project: ProjectId, id: BeadId, fields: readonly RefusedField[]): void
  /** What the tracker does not have: what waits (`problem` is ''), and what will not be written. */
  editsOf(project: ProjectId, id: BeadId): KeptEdit[]
  /** What will not be written, by bead: of a project, or of one of its beads. */
  refusedIn(project: ProjectId, id?: BeadId): Map<BeadId, Refusal[]>
  /** The bead's acceptance criteria with what waits to be written; '' where there are none. */
  acceptanceOf(project: ProjectId, id: BeadId): string
  /** The design that its tracker keeps for the bead; '' where there is none. */
  designOf(project: ProjectId, id: BeadId): string
}

export type FieldChange = { field: EditedField; value: EditedValue }

/** Of a refused status, `value` is what the bead was to be, and `was` what it was here before. */
export type KeptEdit = Omit<BeadEdit, 'field'> & { field: RefusedField; problem: string }
export type Refusal = { field: RefusedField; why: string }
