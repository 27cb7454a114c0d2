import type { SessionId } from '@beadloom/core/ids.ts'
import { MARKED_LINES, type LogMarks } from '@beadloom/core/log/log-marks.ts'
import type { LogReader, LogState } from '../../ports/logs.ts'
import { Problem } from '../ports.ts'

export type MarksQuery = { from?: number; to?: number }

/** Marks of the lines [from, to); those that the log does not have are left out of the answer's `to`. */
export function readMarks(
  logs: LogReader,
  session: SessionId,
  { lines }: LogState,
  { from = 0, to = from + MARKED_LINES }: MarksQuery,
): Promise<LogMarks> | Problem {
  if (to - from <= MARKED_LINES) return logs.marks(session, from, Math.max(from, Math.min(to, lines)))
  const message = `Times are told of at most ${MARKED_LINES} lines at once, not of ${to - from}. Ask for ?from=${from}&to=${from + MARKED_LINES} first, then go on from there.`
  return new Problem(400, 'too_many_lines', message, { most: MARKED_LINES })
}
