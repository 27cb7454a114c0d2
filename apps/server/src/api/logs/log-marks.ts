import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { withTimes, type TimeForm } from '@beadloom/core/log/line-times.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { MARKED_LINES, type LogMarks } from '@beadloom/core/log/log-marks.ts'
import type { LogReader, LogState } from '../../ports/logs.ts'
import { Problem } from '../../ports/problem.ts'
import { endOfLine } from './log-block.ts'

export type MarksQuery = { from?: number; to?: number }

/** Marks of the lines [from, to), as far as the log has them. */
export function readMarks(
  logs: LogReader,
  session: SessionId,
  { lines }: LogState,
  { from = 0, to = from + MARKED_LINES }: MarksQuery,
): Promise<LogMarks> | Problem {
  if (to - from <= MARKED_LINES) return logs.marks(session, from, Math.max(from, Math.min(to, lines)))
  const message = `Times come for at most ${MARKED_LINES} lines at once, not for ${to - from}. Ask for ?from=${from}&to=${from + MARKED_LINES} first, then continue from there.`
  return new Problem(400, 'too_many_lines', message, { most: MARKED_LINES })
}

const READ_BYTES = 256 * 1024

/** The lines [first, last), each with its time and a space before it. */
export async function* timedLines(
  logs: LogReader,
  session: SessionId,
  [first, last]: [number, number],
  { form, ansi }: { form: TimeForm; ansi: boolean },
): AsyncGenerator<string> {
  for (let line = first; line < last;) {
    const slice = await logs.read(session, line, READ_BYTES)
    if (slice.count === 0) return
    const count = Math.min(slice.count, last - line)
    const { times } = await logs.marks(session, line, line + count)
    const bytes = count === slice.count ? slice.text : slice.text.subarray(0, endOfLine(slice.text, count))
    const text = ansi ? bytes.toString('utf8') : stripAnsi(bytes.toString('utf8'))
    yield withTimes(text, line, times, form)
    line += count
  }
}
