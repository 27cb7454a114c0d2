import type { EventLine } from '@beadloom/core/log/event-line.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { OutputFrame } from './sandbox.ts'

/**
 * Turns a session's output into its log (a text file for people) and its events (rows for programs).
 *
 * Contract of `record`:
 * - `frames` always start with the session's first byte. Frames that an earlier server recorded are read again but not
 *   recorded again: an unfinished line is continued, and the listener and the result cover the whole session;
 * - frames are read to their end, as fast as they come. When it resolves, everything is on disk and in the store, and
 *   the log is marked complete. It never rejects because of what the output contains;
 * - if `letGo` has aborted by the time the frames end, the session continues without this server: the record stops at a
 *   checkpoint, is not complete, and the promise rejects.
 */
export interface Recorder {
  record(session: SessionId, frames: AsyncIterable<OutputFrame>, hear: Listener, letGo?: AbortSignal): Promise<Recorded>
  /** Adds a line of the server's own to the log (image progress, verdicts). */
  note(session: SessionId, text: string): void
}

/** A piece of a command's output. A character may begin in one piece and end in the next of its stream. */
export type HeardOutput = { n: number; at: number; type: 'output'; stream: 'stdout' | 'stderr'; bytes: Buffer }

export type HeardEvent = Exclude<EventLine, { type: 'output' }> | HeardOutput

/** Callbacks for the driver of a session, called in order. Everything but the end is an unproved claim. */
export type Listener = {
  /** Also called for events that an earlier server has recorded, so that the listener gets all of them. */
  onEvent: (event: HeardEvent) => void
  /** Any output at all resets the silence clock. */
  onActivity: () => void
  /** Called with each wait in which nothing is read (a full disk, a locked database): not the session's silence. */
  whileOurs: <T>(wait: () => Promise<T>) => Promise<T>
  /** For a listener that reads slower than the session prints: resolves when more may come; null: it may come now. */
  room?: () => Promise<void> | null
}

/** `result` is the session's last `result` event; `droppedBytes` is how much the size limit left out. */
export type Recorded = {
  lines: number
  bytes: number
  droppedBytes: number
  result: Extract<EventLine, { type: 'result' }> | null
  /** The agent's messages, for BLOCKED detection; at most the last 256 KiB. */
  messages: string[]
  /** The last lines of command output, at most 64 KiB, for the digest. */
  tail: string
}
