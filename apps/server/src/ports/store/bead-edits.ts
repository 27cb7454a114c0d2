import type { BeadEdit, EditedField, EditedValue } from '@beadloom/core/bead/bead-edit.ts'
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
  dismissEdits(project: ProjectId, id: BeadId, fields: readonly EditedField[]): void
  /** What the tracker does not have: what waits (`problem` is ''), and what will not be written. */
  editsOf(project: ProjectId, id: BeadId): KeptEdit[]
  /** The bead's acceptance criteria with what waits to be written; '' where there are none. */
  acceptanceOf(project: ProjectId, id: BeadId): string
}

export type FieldChange = { field: EditedField; value: EditedValue }

export type KeptEdit = BeadEdit & { problem: string }
