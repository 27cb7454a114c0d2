import type { Refused } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { PhaseRow, PhaseSession, Round } from '@beadloom/core/plan/phase-step.ts'

/** The known facts about the phases of an execution that works by a plan. Times are integer milliseconds UTC. */
export interface PhaseStore {
  phases(execution: ExecutionId): StoredPhase[]
  /** Notes the commit where a phase begins, and the number of phases, with an event; the first call counts. */
  beginPhase(execution: ExecutionId, number: number, preCommit: string, of: number): void
  /** Takes over a phase that an earlier execution of the bead has done, by the same version of its plan. */
  takePhase(execution: ExecutionId, phase: DonePhase): void
  /** The newest of these; null: none. */
  donePhase(project: ProjectId, bead: BeadId, version: number, number: number): DonePhase | null
  /** With its event; the first call counts. */
  approvePhase(execution: ExecutionId, phase: { number: number; of: number; commit: string; summary: string }): void
  rounds(execution: ExecutionId): Round[]
  /** The same again changes nothing. */
  beginRound(execution: ExecutionId, round: Pick<Round, 'number' | 'phase' | 'attempt' | 'kind'>): void
  /** The round's commit; null: nothing was changed. */
  endRound(execution: ExecutionId, number: number, commit: string | null): void
  /** This subtask conflicts with others of the round. */
  noteConflict(execution: ExecutionId, number: number, subtask: string): void
  /** This subtask is left out: its bead was closed before it began, or has left the tracker. */
  skipSubtask(execution: ExecutionId, subtask: string): void
  skippedSubtasks(execution: ExecutionId): string[]
  /** It waits for a person after this phase from now on; a repeated call changes nothing. */
  waitAfterPhase(execution: ExecutionId, after: number): void
  /** A person wants it to wait after the current phase. Refused if it does not work by a plan, or waits already. */
  askPause(execution: ExecutionId): Execution | Refused
  /** A person lets it continue, or withdraws a wish to wait. Refused if it does not wait. */
  letContinue(execution: ExecutionId): Execution | Refused
  /** It has a slot again, and the wait is over. */
  endWait(execution: ExecutionId): void
  /**
   * The agents' sessions of its phases, in order.
   * @param all the execution's sessions, if the caller has read them already
   */
  phaseSessions(execution: ExecutionId, all?: readonly Session[]): PhaseSession[]
}

export type StoredPhase = PhaseRow & {
  summary: string
  from: ExecutionId | null
  startedAt: number
  endedAt: number | null
}

export type DonePhase = { number: number; preCommit: string; commit: string; summary: string; execution: ExecutionId }

/** A session's part in a phase. */
export type InPhase = Pick<PhaseSession, 'role' | 'subtask'>
