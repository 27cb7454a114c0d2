import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'

/** Lines are numbered from 0 and never renumbered; a full block has this many lines. */
export const BLOCK_LINES = 512

/** Reads the session logs that the recorder writes. Every call names a position; no state is kept for a reader. */
export interface LogReader {
  /** Null when there is no log of this session. */
  state(session: SessionId): LogState | null
  /**
   * As many whole lines from `line` as fit into `maxBytes` (at least one, even if it is longer), each with its newline.
   * An empty slice: nothing more yet.
   */
  read(session: SessionId, line: number, maxBytes: number): Promise<LogSlice>
  /** A byte range of the file, for downloads. */
  bytes(session: SessionId, from: number, length: number): Promise<Buffer>
  /** Byte offset at which a line starts. */
  offsetOf(session: SessionId, line: number): Promise<number>
  /** When the lines [from, to) were printed, if known, and which of them on standard error. */
  marks(session: SessionId, from: number, to: number): Promise<LogMarks>
  /** SGR parameters of the style at the start of a block; empty for the plain style, null if unknown. */
  styleAt(session: SessionId, block: number): Promise<string | null>
  /** Size in bytes of the agent's own output, unchanged; null: there is none. */
  agentSize(session: SessionId): Promise<number | null>
  agentBytes(session: SessionId, from: number, length: number): Promise<Buffer>
  /** Called whenever a log has grown or is complete. Listeners must return quickly. */
  onGrow(listener: (session: SessionId) => void): () => void
}

/** `partial`: the text of the unfinished last line, which `lines` does not count. */
export type LogState = { lines: number; bytes: number; complete: boolean; partial: string; exit: number | null }

export type LogSlice = { firstLine: number; count: number; text: Buffer }
