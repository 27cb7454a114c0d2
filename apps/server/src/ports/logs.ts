import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import type { SessionId } from '@beadloom/core/ids.ts'

/** Lines are numbered from 0 and never renumbered; a full block holds this many lines. */
export const BLOCK_LINES = 512

/** Reads session logs that the recorder writes. Everything is by cursor; nothing is kept for a reader. */
export interface LogReader {
  /** Null when there is no log of this session. */
  state(session: SessionId): LogState | null
  /**
   * Whole lines from `line` on, as many as fit into `maxBytes` (at least one, even when it is longer), each ending
   * with a newline. An empty chunk means: nothing more yet.
   */
  read(session: SessionId, line: number, maxBytes: number): Promise<LogSlice>
  /** One byte range of the file, for downloads. */
  bytes(session: SessionId, from: number, length: number): Promise<Buffer>
  /** Byte offset at which a line starts. */
  offsetOf(session: SessionId, line: number): Promise<number>
  /** When the lines [from, to) were printed, as far as that is known, and which of them on standard error. */
  marks(session: SessionId, from: number, to: number): Promise<LogMarks>
  /** SGR parameters of the style with which a block begins, empty for the plain one; null where that is not known. */
  styleAt(session: SessionId, block: number): Promise<string | null>
  /** What the agent printed itself, as it was: how many bytes there are; null: it printed nothing that was read. */
  agentSize(session: SessionId): Promise<number | null>
  agentBytes(session: SessionId, from: number, length: number): Promise<Buffer>
  /** Told whenever a log has grown or is complete; bounded work only. */
  onGrow(listener: (session: SessionId) => void): () => void
}

/** `partial` is the text of the line that has no newline yet (not counted in `lines`). */
export type LogState = { lines: number; bytes: number; complete: boolean; partial: string; exit: number | null }

export type LogSlice = { firstLine: number; count: number; text: Buffer }
