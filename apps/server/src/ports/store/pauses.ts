import type { Refused } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Pause } from '@beadloom/core/records/pause.ts'

/** `ms`: from now on. */
export type PauseWish = Pick<Pause, 'atEnd' | 'by' | 'stop' | 'forWord'> & { ms: number }

/** The question of one session's agent. */
export type AskedBy = { session: SessionId; question: string }

/** `question`: all of them in one text. `ms`: the time for an answer. `reads`: the agents read messages that wait. */
export type Asked = { question: string; ms: number; reads: boolean }

/**
 * `later`: a person has paused it, or has said something that these agents have not read yet. `over`: these sessions'
 * question was asked before, or the execution is being stopped or has ended.
 */
export type AskedPerson = 'asked' | 'later' | 'over'

/** Pauses of running executions: by a person, or for a person's answer. */
export interface PauseStore {
  /** Refused unless it runs. One that is paused already keeps the time since when; the new wishes count. */
  pauseExecution(execution: ExecutionId, wish: PauseWish): Execution | Refused
  /**
   * Pauses it until somebody answers its agents' question, once for each session. Then, or after that time, it
   * continues. The sessions that continue then count against no limit. A person's pause comes first, and a message that
   * waits: the question is asked after it.
   */
  askPerson(execution: ExecutionId, by: readonly AskedBy[], asked: Asked): AskedPerson
  /** The sessions whose questions a person was asked, each with the newest message of the execution at that time. */
  askedSessions(execution: ExecutionId): ReadonlyMap<SessionId, number>
  /** Something waits for it from now on. */
  holdByPause(execution: ExecutionId): void
  /** Refused if it is not paused. It is over at once if nothing waits for it, else when that has a slot. */
  resumeExecution(execution: ExecutionId, by: string): Execution | Refused
  /** It continues. */
  endPause(execution: ExecutionId): void
}
