import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import { withTimes, type TimeForm } from '@beadloom/core/log/line-times.ts'
import type { LogReader } from '../../ports/logs.ts'
import { endOfLine } from './log-block.ts'

const READ_BYTES = 256 * 1024

/** The lines [first, last), each behind its time and a space. */
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
