import type { EventLine } from '@beadloom/core/log/event-line.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import type { OutputFrame } from './engine.ts'

/**
 * Turns a session's output into its log (a text file for people) and its events (rows for programs).
 *
 * Contract of `record`:
 * - `frames` begin with the session's first byte, always. What a server before this one has recorded of them is not
 *   recorded again, but read again: what it left half-way (a line without its end) goes on, and what is told and
 *   resolved is the whole session's;
 * - it reads them to their end, as fast as they come; when it resolves, everything is on disk and in the store, and the
 *   log is marked complete. It never rejects because of what the output contains;
 * - when `letGo` has aborted by the time the frames end, the session goes on without us: the record stops at a
 *   checkpoint, is not complete, and the promise rejects.
 */
export interface Recorder {
  record(session: SessionId, frames: AsyncIterable<OutputFrame>, hear: Listener, letGo?: AbortSignal): Promise<Recorded>
  /** The person's side of the log for something the server itself has to say (image progress, verdicts). */
  note(session: SessionId, text: string): void
}

/** What the runner wants to know while it goes; called in order. The runner trusts none of it but the end. */
export type Listener = {
  /** Also those that were recorded before a break, so that whoever listens knows them all. */
  onEvent: (event: EventLine) => void
  /** Any output at all: resets the silence clock. */
  onActivity: () => void
}

/** `result` is the session's own last `result` line; `droppedBytes` is what the cap left out. */
export type Recorded = {
  lines: number
  bytes: number
  droppedBytes: number
  result: Extract<EventLine, { type: 'result' }> | null
  /** The agent's own text of the session, for BLOCKED detection, at most its last 256 KiB. */
  messages: string[]
  /** The last lines of command output, newest last, at most 64 KiB: what a digest is made of. */
  tail: string
}
