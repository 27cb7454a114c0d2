import { MAX_LINE_BYTES, parseEventLine } from '@beadloom/core/log/event-line.ts'
import type { EventLine } from '@beadloom/core/log/event-line.ts'
import { parseOutputHead, type OutputHead } from '@beadloom/core/log/output-head.ts'

const NEWLINE = 10
const START = Buffer.from('{"n":')
const NEXT_START = Buffer.from('\n{"n":')

export type Heard = {
  /** False: not the next event, so the line is raw output. */
  event: (event: EventLine) => boolean
  /** The same; true: its bytes come next. */
  head: (head: OutputHead) => boolean
  /** Some of the bytes behind the last head. */
  output: (head: OutputHead, bytes: Buffer) => void
  raw: (bytes: Buffer) => void
}

/**
 * Separates the event lines on stdout from everything else, wherever the chunks were cut. Only a line that starts like
 * an event is ever held back, and at most `MAX_LINE_BYTES` of it; all other bytes are passed on at once as they came.
 */
export class EventSplitter {
  readonly #heard: Heard
  readonly #held = Buffer.allocUnsafeSlow(MAX_LINE_BYTES)
  #length = 0
  /** Whether at the start of a line (which may be in `#held`), not in the middle of a raw one. */
  #atStart = true
  /** `left` bytes of the output behind a head are still to come; null: none, nor the newline behind it. */
  #behind: { head: OutputHead; left: number } | null = null

  constructor(heard: Heard) {
    this.#heard = heard
  }

  push(bytes: Buffer): void {
    let from = 0
    while (from < bytes.length)
      if (this.#behind) from = this.#outputOf(this.#behind, bytes, from)
      else from = this.#atStart ? this.#line(bytes, from) : this.#rawUpToStart(bytes, from)
  }

  /** The last line may lack its newline. */
  end(): void {
    const line = this.#held.subarray(0, this.#length)
    this.#length = 0
    if (line.length > 0 && !this.#isEvent(line)) this.#heard.raw(Buffer.from(line))
  }

  /** Bytes are missing here: input can be an event again only from the next start of a line on. */
  skip(): void {
    this.end()
    this.#behind = null
    this.#atStart = false
  }

  /** Takes the newline behind the output, if there is one, so output that was cut short damages nothing after it. */
  #outputOf(behind: { head: OutputHead; left: number }, bytes: Buffer, from: number): number {
    if (behind.left === 0) {
      this.#behind = null
      return bytes[from] === NEWLINE ? from + 1 : from
    }
    const end = Math.min(bytes.length, from + behind.left)
    behind.left -= end - from
    this.#heard.output(behind.head, bytes.subarray(from, end))
    return end
  }

  #line(bytes: Buffer, from: number): number {
    if (!this.#mayBegin(bytes, from)) return this.#giveUp(from)
    const found = bytes.indexOf(NEWLINE, from)
    const end = found === -1 ? bytes.length : found
    if (this.#length + end - from > MAX_LINE_BYTES) return this.#giveUp(from)
    if (found !== -1 && this.#length === 0) {
      if (!this.#isEvent(bytes.subarray(from, end))) this.#heard.raw(bytes.subarray(from, end + 1))
      return end + 1
    }
    this.#length += bytes.copy(this.#held, this.#length, from, end)
    if (found === -1) return end
    const line = this.#held.subarray(0, this.#length)
    this.#length = 0
    if (!this.#isEvent(line)) {
      this.#heard.raw(Buffer.from(line))
      this.#heard.raw(bytes.subarray(end, end + 1))
    }
    return end + 1
  }

  /** Whether the held bytes and the next ones can still become `{"n":`. */
  #mayBegin(bytes: Buffer, from: number): boolean {
    for (let at = this.#length; at < START.length && from + at - this.#length < bytes.length; at += 1)
      if (bytes[from + at - this.#length] !== START[at]) return false
    return true
  }

  /** Passes the held bytes on: the line is raw after all. */
  #giveUp(from: number): number {
    if (this.#length > 0) this.#heard.raw(Buffer.from(this.#held.subarray(0, this.#length)))
    this.#length = 0
    this.#atStart = false
    return from
  }

  #rawUpToStart(bytes: Buffer, from: number): number {
    const found = bytes.indexOf(NEXT_START, from)
    const end = found === -1 ? this.#endOfRaw(bytes, from) : found + 1
    if (end > from) this.#heard.raw(bytes.subarray(from, end))
    this.#atStart = found !== -1 || (end > 0 && bytes[end - 1] === NEWLINE)
    return end
  }

  /** An event may start in the last few bytes of a chunk and continue in the next. */
  #endOfRaw(bytes: Buffer, from: number): number {
    const last = bytes.lastIndexOf(NEWLINE)
    if (last < from) return bytes.length
    const rest = bytes.subarray(last + 1)
    return rest.length < START.length && START.subarray(0, rest.length).equals(rest) ? last + 1 : bytes.length
  }

  #isEvent(line: Buffer): boolean {
    if (line.length < START.length || line[0] !== START[0]) return false
    const text = line.toString('utf8')
    const head = parseOutputHead(text)
    if (head) {
      if (!this.#heard.head(head)) return false
      this.#behind = { head, left: head.bytes }
      return true
    }
    const event = parseEventLine(text)
    return event !== null && this.#heard.event(event)
  }
}
