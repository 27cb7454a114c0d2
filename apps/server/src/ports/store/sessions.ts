import type { AgentName } from '@beadloom/core/agents/agent-names.ts'
import type { InPhase } from './phases.ts'
import type { Session, SessionCause, SessionKind, SessionOutcome } from '@beadloom/core/records/session.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'

export interface SessionStore {
  startSession(session: NewSession): Session
  sessionRunning(id: SessionId, container: string): void
  /** Keeps the first end: a second one changes nothing and returns the stored one. */
  endSession(
    id: SessionId,
    outcome: SessionOutcome,
    exitCode: number | null,
    detail: string,
    cause?: SessionCause | null,
  ): Session
  session(id: SessionId): Session | null
  sessions(execution: ExecutionId): Session[]
  /** Writes the events of a session's record with its checkpoint, in one transaction. */
  commitRecord(session: SessionId, checkpoint: Checkpoint, events: RecordedEvent[]): void
  checkpoint(session: SessionId): Checkpoint | null
}

/**
 * Default: the execution's next number, taken with the row itself, because sessions of one execution may begin at the
 * same time.
 */
type Numbered = { id: SessionId; number: number } | { id?: never; number?: never }

export type NewSession = Numbered & {
  execution: ExecutionId
  kind: SessionKind
  attempt: number
  /** For a service: its name. */
  service?: string
  /** Default: none. */
  model?: string | null
  /** The name that `"agent"` in `beadloom.json` has. Default: none. */
  agent?: AgentName | null
  /** For a phase: the session's part in it. */
  phase?: InPhase
}

/**
 * The progress of a session's record: `n` is the last event number seen, `logBytes` and `logLines` are the log's
 * length, `stdout` and `stderr` the bytes read of each stream, `tail` the bytes that came after the log was full.
 */
export type Checkpoint = {
  n: number
  logBytes: number
  logLines: number
  complete: boolean
  stdout: number
  stderr: number
  tail: number
}
export const unrecorded: Checkpoint = {
  n: 0,
  logBytes: 0,
  logLines: 0,
  complete: false,
  stdout: 0,
  stderr: 0,
  tail: 0,
}
export type RecordedEvent = { type: string; at: number; line: number | null; data: unknown }
