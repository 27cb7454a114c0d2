import type { ProjectId } from '@beadloom/core/records/ids.ts'

/** The cursor of every reader: which rows have changed since it last looked. */
export interface ChangeFeed {
  /** Highest `seq` of the `changes` table. */
  seq(): number
  /** Changes after `seq`, newest state only once per (kind, id); null when `seq` is older than the kept ones. */
  changesAfter(seq: number, limit: number): Change[] | null
  onChange(listener: (seq: number) => void): () => void
  /**
   * Says that the view of these rows has changed although the rows have not (a reason, a last activity). One row in
   * `changes` for each id, in one transaction.
   */
  touch(kind: ChangeKind, project: ProjectId | null, ids: readonly string[]): void
}

export type ChangeKind = 'project' | 'bead' | 'execution' | 'status'
/** `project` is null for `status`; `id` of a bead is its id within the project. */
export type Change = { seq: number; kind: ChangeKind; project: ProjectId | null; id: string }
