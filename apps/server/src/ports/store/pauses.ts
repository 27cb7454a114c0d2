import type { Refused } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Pause } from '@beadloom/core/records/pause.ts'

/** `ms`: from now on. */
export type PauseWish = Pick<Pause, 'atEnd' | 'by' | 'stop' | 'forWord'> & { ms: number }

/** Pauses of running executions by a person. */
export interface PauseStore {
  /** Refused unless it runs. One that is paused already keeps the time since when; the new wishes count. */
  pauseExecution(execution: ExecutionId, wish: PauseWish): Execution | Refused
  /** Something waits for it from now on. */
  holdByPause(execution: ExecutionId): void
  /** Refused if it is not paused. It is over at once if nothing waits for it, else when that has a slot. */
  resumeExecution(execution: ExecutionId, by: string): Execution | Refused
  /** It continues. */
  endPause(execution: ExecutionId): void
}
