import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/ids.ts'

/** `at`: when the tracker was asked last, milliseconds UTC. */
export type OpenClaim = { execution: ExecutionId; project: ProjectId; bead: BeadId; at: number }

/**
 * Claims that executions may have made in trackers before they start. They are noted before the tracker is asked, so that
 * one whose execution never starts is given back, whoever dies or fails in between.
 */
export interface TrackerClaims {
  /** The tracker is about to be asked. */
  claimBegins(execution: ExecutionId): void
  /** Somebody else has the bead: there is nothing to give back. */
  claimRefused(execution: ExecutionId): void
  /** Of executions that have not started, also of those that have ended without. */
  openClaims(): OpenClaim[]
  /** Queues the bead's status, as it is when that is written, for the tracker. It is tried until the tracker has it. */
  releaseClaim(execution: ExecutionId): void
}
