import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'

/** `at`: when the tracker was asked last, milliseconds UTC. */
export type OpenClaim = { execution: ExecutionId; project: ProjectId; bead: BeadId; at: number }

/**
 * Claims that executions may have made in trackers before they start. Each is noted before the tracker is asked, so
 * that it is given back if the execution never starts, no matter what dies or fails in between.
 */
export interface TrackerClaims {
  /** The tracker is about to be asked. */
  claimBegins(execution: ExecutionId): void
  /** Somebody else has the bead: there is no claim to give back. */
  claimRefused(execution: ExecutionId): void
  /** The claims of executions that have not started, including those that ended without a start. */
  openClaims(): OpenClaim[]
  /** Queues the bead's status at the time of writing for the tracker. It is tried until the tracker has it. */
  releaseClaim(execution: ExecutionId): void
}
