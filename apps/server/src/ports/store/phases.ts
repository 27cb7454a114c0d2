import type { Refused } from '@beadloom/core/bead/bead.ts'
import type { Execution } from '@beadloom/core/execution/execution.ts'
import type { Session } from '@beadloom/core/execution/session.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/ids.ts'
import type { PhaseRow, PhaseSession, Round } from '@beadloom/core/plan/phase-step.ts'

/** What is known of the phases of an execution that works by a plan. Times are integer milliseconds UTC. */
export interface PhaseStore {
  phases(execution: ExecutionId): StoredPhase[]
  /** Where a phase begins, of so many, with its event; the first call counts. */
  beginPhase(execution: ExecutionId, number: number, preCommit: string, of: number): void
  /** A phase that an earlier execution of the bead has done, by the same version of its plan. */
  takePhase(execution: ExecutionId, phase: DonePhase): void
  /** The newest of these; null: there is none. */
  donePhase(project: ProjectId, bead: BeadId, version: number, number: number): DonePhase | null
  /** With its event; the first call counts. */
  approvePhase(execution: ExecutionId, phase: { number: number; of: number; commit: string; summary: string }): void
  rounds(execution: ExecutionId): Round[]
  /** The same again changes nothing. */
  beginRound(execution: ExecutionId, round: Pick<Round, 'number' | 'phase' | 'attempt' | 'kind'>): void
  /** The commit that came of it; null: nothing was changed. */
  endRound(execution: ExecutionId, number: number, commit: string | null): void
  /** This subtask conflicts with others of the round. */
  noteConflict(execution: ExecutionId, number: number, subtask: string): void
  /** This subtask is left out: its bead was closed before it began. */
  skipSubtask(execution: ExecutionId, subtask: string): void
  skippedSubtasks(execution: ExecutionId): string[]
  /** It waits for a person after this phase from now on; the same again changes nothing. */
  waitAfterPhase(execution: ExecutionId, after: number): void
  /** A person wants it to wait after the phase in work. Refused where it does not work by a plan, or waits already. */
  askPause(execution: ExecutionId): Execution | Refused
  /** A person lets it continue, or takes a wish to wait back. Refused where it does not wait. */
  letContinue(execution: ExecutionId): Execution | Refused
  /** It has a slot again, and the wait is over. */
  endWait(execution: ExecutionId): void
  /**
   * The agents' sessions of its phases, in order.
   * @param all the execution's sessions, where somebody has read them already
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

/** What a session of a phase is for. */
export type InPhase = Pick<PhaseSession, 'role' | 'subtask'>
