/** A full block of a log; the server serves history in these. */
export const BLOCK_LINES = 512

/** First line of the tail: at least a screenful is there at once, and blocks stay whole. */
export const tailStart = (lines: number): number =>
  Math.floor(Math.max(0, lines - BLOCK_LINES) / BLOCK_LINES) * BLOCK_LINES

/**
 * The position of one log's reader. `next` is the only cursor: the number of the line that is wanted next.
 * `end` is what the server said about the end; the log counts as complete only when both agree.
 */
export type LogCursor = { next: number; end: { lines: number; exit: number | null } | null }

export const isComplete = (cursor: LogCursor): boolean => cursor.end !== null && cursor.end.lines === cursor.next

export type ChunkDecision =
  /** Everything in it is known already. */
  | { do: 'drop' }
  /** Lines are missing between the cursor and this chunk: ask again from the cursor. */
  | { do: 'resubscribe' }
  /** Take it, without its first `skip` lines. */
  | { do: 'append'; skip: number; next: number }

/** Duplication and loss are impossible by construction: a line enters only at its own place. */
export function decideChunk(cursor: LogCursor, firstLine: number, count: number): ChunkDecision {
  if (firstLine > cursor.next) return { do: 'resubscribe' }
  const end = firstLine + count
  if (end <= cursor.next) return { do: 'drop' }
  return { do: 'append', skip: cursor.next - firstLine, next: end }
}

export type EndDecision =
  | { do: 'complete' }
  /** We hold fewer lines: fetch what is missing before anything is called complete. */
  | { do: 'catch-up' }
  /** We hold more lines than there are: what we hold belongs to another log. */
  | { do: 'start-over' }

export function decideEnd(cursor: LogCursor, lines: number): EndDecision {
  if (cursor.next === lines) return { do: 'complete' }
  return { do: cursor.next < lines ? 'catch-up' : 'start-over' }
}
