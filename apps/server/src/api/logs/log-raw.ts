import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { timeForm, type TimeForm } from '@beadloom/core/log/line-times.ts'
import type { LogReader, LogState } from '../../ports/logs.ts'
import { endOfLine } from './log-block.ts'
import { timedLines } from './log-marks.ts'
import { Problem } from '../../ports/problem.ts'
import { Reply } from '../../http/routing/route.ts'
import { SANDBOX_POLICY } from '../../http/access/security-headers.ts'

/** `ts`: the time before each line; `tz`: the reader's time zone, for `local`. */
export type RawQuery = {
  ansi?: boolean
  from?: number
  to?: number
  download?: boolean
  ts?: 'none' | 'utc' | 'local'
  tz?: string
}

const READ_BYTES = 256 * 1024

/** The lines [from, to) as text, as the log was when the request arrived, even if it grows meanwhile. */
export async function rawLog(
  logs: LogReader,
  session: SessionId,
  state: LogState,
  { ansi = true, from = 0, to = state.lines, download = false, ts = 'none', tz }: RawQuery,
  range: string | undefined,
): Promise<Reply | Problem> {
  const first = Math.min(from, state.lines)
  const last = Math.max(first, Math.min(to, state.lines))
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Disposition': `${download ? 'attachment' : 'inline'}; filename="${session}.log"`,
    'Content-Security-Policy': SANDBOX_POLICY,
  }
  if (ts !== 'none') {
    const form = formOf(ts, tz)
    if (form instanceof Problem) return form
    if (range !== undefined) return new Problem(416, 'range_not_satisfiable', NO_RANGE)
    const lines = timedLines(logs, session, [first, last], { form, ansi })
    return new Reply(lines, { ...headers, 'Accept-Ranges': 'none' })
  }
  if (!ansi) return new Reply(plainLines(logs, session, first, last), { ...headers, 'Accept-Ranges': 'none' })

  const start = first === 0 ? 0 : await logs.offsetOf(session, first)
  const end = await logs.offsetOf(session, last)
  const size = end - start
  const part = parseRange(range, size)
  if (part === 'unsatisfiable')
    return new Problem(416, 'range_not_satisfiable', `The text has ${size} bytes.`, { size })
  const { offset, length } = part ?? { offset: 0, length: size }
  return new Reply(
    bytesOf(logs, session, start + offset, length),
    {
      ...headers,
      'Accept-Ranges': 'bytes',
      'Content-Length': String(length),
      ...(part && { 'Content-Range': `bytes ${offset}-${offset + length - 1}/${size}` }),
    },
    part ? 206 : 200,
  )
}

const NO_RANGE =
  'With times, byte positions are not known in advance. Leave Range out, select lines with from= and to=, or use ts=none.'

function formOf(ts: 'utc' | 'local', tz: string | undefined): TimeForm | Problem {
  if (ts === 'utc') return timeForm(null)
  try {
    return timeForm(tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  } catch {
    const message = `There is no time zone ${JSON.stringify(tz)}: use a name such as Europe/Berlin or UTC.`
    return new Problem(400, 'no_such_time_zone', message)
  }
}

type BytePart = { offset: number; length: number }

/**
 * One part of `size` bytes, from a Range header. Null, which means the whole, for anything that a server may ignore: no
 * header, another unit, several ranges, nonsense.
 */
function parseRange(header: string | undefined, size: number): BytePart | 'unsatisfiable' | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!found) return null
  const [, from = '', to = ''] = found
  if (from === '') {
    if (to === '') return null
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length }
  }
  const offset = Number(from)
  if (to !== '' && Number(to) < offset) return null
  if (offset >= size) return 'unsatisfiable'
  const end = to === '' ? size : Math.min(Number(to) + 1, size)
  return { offset, length: end - offset }
}

async function* bytesOf(logs: LogReader, session: SessionId, from: number, length: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < length;) {
    const bytes = await logs.bytes(session, from + done, Math.min(READ_BYTES, length - done))
    if (bytes.length === 0) throw new Error(`the log of ${session} became shorter while it was read`)
    done += bytes.length
    yield bytes
  }
}

async function* plainLines(logs: LogReader, session: SessionId, first: number, last: number): AsyncGenerator<string> {
  for (let line = first; line < last;) {
    const slice = await logs.read(session, line, READ_BYTES)
    if (slice.count === 0) return
    const wanted = last - line
    const text = slice.count <= wanted ? slice.text : slice.text.subarray(0, endOfLine(slice.text, wanted))
    line += slice.count
    yield stripAnsi(text.toString('utf8'))
  }
}
