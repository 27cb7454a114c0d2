import type { EgressEntry } from '@beadloom/core/egress/ledger.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/ids.ts'

/** What is new since the last note of the same host, port and outcome. */
export type EgressNote = Pick<EgressEntry, 'host' | 'port' | 'outcome' | 'count' | 'sent' | 'received'>

/** What sandboxes asked for outside. `owner`: an execution or a proof. */
export interface EgressStore {
  /** Adds to what is known. Beyond the most that are kept by name, a new one counts without. */
  noteEgress(project: ProjectId, owner: ExecutionId, notes: readonly EgressNote[]): void
  /** The most wanted first. */
  egressOf(owner: ExecutionId): EgressEntry[]
  /** All that is kept of a project, one entry for each host, port and outcome. */
  egressOfProject(project: ProjectId): EgressEntry[]
}
