import { MAX_LINE_BYTES, parseEventLine, type EventLine } from '@beadloom/core/log/event-line.ts'
import { parseOutputHead } from '@beadloom/core/log/output-head.ts'

const NEWLINE = 10

/**
 * The events that a session wrote to stdout; output after its line becomes the `text` of an `output` event. Every line
 * must be an event, short enough, and numbered without a gap.
 */
export function readEvents(bytes: Buffer): EventLine[] {
  const events: EventLine[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, at)
    if (end === -1) throw new Error(`a line without an end: ${bytes.toString('utf8', at, at + 300)}`)
    const line = bytes.toString('utf8', at, end)
    if (end + 1 - at > MAX_LINE_BYTES) throw new Error(`a line of ${end - at} bytes`)
    at = end + 1
    const head = parseOutputHead(line)
    if (head) {
      const { bytes: length, ...rest } = head
      if (bytes[at + length] !== NEWLINE) throw new Error(`event ${head.n} has no newline behind its output`)
      events.push({ ...rest, type: 'output', text: bytes.toString('utf8', at, at + length) })
      at += length + 1
    } else events.push(parseEventLine(line) ?? notOne(line))
    const event = events.at(-1)
    if (event?.n !== events.length) throw new Error(`event ${events.length} has the number ${event?.n}`)
  }
  return events
}

function notOne(line: string): never {
  throw new Error(`no event line: ${line.slice(0, 300)}`)
}
