import type { PromptLength } from '@beadloom/core/execution/signs.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'

export interface EventStore {
  /** Returns the event's number. */
  addEvent(execution: ExecutionId, session: SessionId | null, type: string, data: unknown, line?: number | null): number
  /** The events with a number above `after`, oldest first. */
  events(execution: ExecutionId, after: number, limit: number): EventRow[]
  /** The next events after `after`: as many as can be read quickly, however many and however long they are. */
  eventPart(execution: ExecutionId, after: number, wish: EventWish): EventPart
  /** The newest event of these types whose number is above `after` and below `before`. */
  newestEvent(
    execution: ExecutionId,
    types: readonly string[],
    range: { after: number; before: number },
  ): EventRow | null
  /** The number of the newest event; 0: there is none. */
  lastSeq(execution: ExecutionId): number
  /** The newest event of this type. */
  lastEvent(execution: ExecutionId, type: string): EventRow | null
  /** The newest event of this type of one session; another session of its execution may have a newer one. */
  sessionEvent(execution: ExecutionId, session: SessionId, type: string): EventRow | null
  /** The lengths of the first messages of its attempts, oldest first; at most 100. */
  promptLengths(execution: ExecutionId): PromptLength[]
  /** Calls the listener with the execution's id when it has new events. */
  onEvent(listener: (execution: ExecutionId, seq: number) => void): () => void
}

export type EventWish = {
  /** Default: events of all sessions and of the execution itself. */
  session?: SessionId
  /** Default: all types. */
  types?: readonly string[]
  /** The most events that are read, wanted or not. */
  most: number
  /** Reading stops once the events read have this many characters of JSON. */
  characters: number
}

/** `next`: ask again with this as `after`; null: there are no more. */
export type EventPart = { rows: EventRow[]; next: number | null }

export type EventRow = {
  seq: number
  execution: ExecutionId
  session: SessionId | null
  at: number
  type: string
  line: number | null
  data: unknown
}
