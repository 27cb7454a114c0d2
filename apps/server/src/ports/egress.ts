import type { Duplex } from 'node:stream'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'

/** The sandbox that reaches hosts outside, and which hosts it may reach. */
export type EgressAccess = {
  project: ProjectId
  /** An execution or a proof: its ledger is written. */
  owner: ExecutionId
  /** As in "network.allow". */
  allow: readonly string[]
}

/** The way out of one session, to the hosts that its project allows and no others. */
export interface EgressDoor {
  /** A connection from inside the sandbox, which speaks to it as to an HTTP proxy. */
  take(connection: Duplex): void
  /** Ends every connection. Resolves when the ledger is stored; may be called again. */
  close(): Promise<void>
}

/** Makes ways out of sandboxes that have no network. */
export interface Egress {
  open(access: EgressAccess): EgressDoor
  /** Ends all open connections, for the end of the server. Resolves when every ledger is stored. */
  close(): Promise<void>
}
