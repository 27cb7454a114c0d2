/** A full block of a log; the server sends history in these. */
export const BLOCK_LINES = 512

/** First line of the tail: shows at least a screenful at once, and keeps blocks whole. */
export const tailStart = (lines: number): number =>
  Math.floor(Math.max(0, lines - BLOCK_LINES) / BLOCK_LINES) * BLOCK_LINES

/**
 * The position of one log's reader. `next` is the only cursor: the number of the next line that is wanted. `end` is the
 * end as the server reported it; the log is complete only if both agree.
 */
export type LogCursor = { next: number; end: { lines: number; exit: number | null } | null }

export const isComplete = (cursor: LogCursor): boolean => cursor.end !== null && cursor.end.lines === cursor.next

export type ChunkDecision =
  /** All of its lines are known already. */
  | { do: 'drop' }
  /** Lines are missing between the cursor and this chunk: ask again from the cursor. */
  | { do: 'resubscribe' }
  /** Take it, without its first `skip` lines. */
  | { do: 'append'; skip: number; next: number }

/** Lines can be neither doubled nor lost: each one enters only at its own place. */
export function decideChunk(cursor: LogCursor, firstLine: number, count: number): ChunkDecision {
  if (firstLine > cursor.next) return { do: 'resubscribe' }
  const end = firstLine + count
  if (end <= cursor.next) return { do: 'drop' }
  return { do: 'append', skip: cursor.next - firstLine, next: end }
}

export type EndDecision =
  | { do: 'complete' }
  /** We have fewer lines: fetch the missing ones before the log counts as complete. */
  | { do: 'catch-up' }
  /** We have more lines than the log: ours belong to another one. */
  | { do: 'start-over' }

export function decideEnd(cursor: LogCursor, lines: number): EndDecision {
  if (cursor.next === lines) return { do: 'complete' }
  return { do: cursor.next < lines ? 'catch-up' : 'start-over' }
}
