import type { EgressEntry } from '@beadloom/core/egress/ledger.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'

/** The additions since the last note of the same host, port and outcome. */
export type EgressNote = Pick<EgressEntry, 'host' | 'port' | 'outcome' | 'count' | 'sent' | 'received'>

/** The connections that sandboxes asked for outside. `owner`: an execution or a proof. */
export interface EgressStore {
  /** Adds to the known entries. Once the limit of named entries is reached, a new one is counted without its name. */
  noteEgress(project: ProjectId, owner: ExecutionId, notes: readonly EgressNote[]): void
  /** The most wanted first. */
  egressOf(owner: ExecutionId): EgressEntry[]
  /** All kept entries of a project, one for each host, port and outcome. */
  egressOfProject(project: ProjectId): EgressEntry[]
}
