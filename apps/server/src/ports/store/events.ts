import type { PromptLength } from '@beadloom/core/execution/signs.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/ids.ts'

export interface EventStore {
  /** Returns the event's number. */
  addEvent(execution: ExecutionId, session: SessionId | null, type: string, data: unknown, line?: number | null): number
  /** Those with a number above `after`, oldest first. */
  events(execution: ExecutionId, after: number, limit: number): EventRow[]
  /** The newest event of this type. */
  lastEvent(execution: ExecutionId, type: string): EventRow | null
  /** The newest event of this type of one session; others of its execution may have had theirs after it. */
  sessionEvent(execution: ExecutionId, session: SessionId, type: string): EventRow | null
  /** How long the first messages of its attempts were, oldest first; at most 100. */
  promptLengths(execution: ExecutionId): PromptLength[]
  /** Told with the execution's id when it has new events. */
  onEvent(listener: (execution: ExecutionId, seq: number) => void): () => void
}

export type EventRow = {
  seq: number
  execution: ExecutionId
  session: SessionId | null
  at: number
  type: string
  line: number | null
  data: unknown
}
