import type { EventLine } from '@beadloom/core/log/event-line.ts'
import type { OutputFrame } from '../ports/engine.ts'
import type { Listener, Recorded } from '../ports/recorder.ts'
import type { Clock } from '../process/clock.ts'
import type { AgentFile } from './files/agent-file.ts'
import { describeEvent } from './describe-event.ts'
import { eventRow } from './event-row.ts'
import { EventSplitter } from './event-splitter.ts'
import { DIGEST_BYTES, MESSAGES_LENGTH } from './limits.ts'
import type { RecorderLimits } from './limits.ts'
import { LineBuffer } from './files/line-buffer.ts'
import type { SessionLog } from './session-log.ts'
import { TailBuffer } from './files/tail-buffer.ts'

/** `agentLines`: where what the agent printed itself goes; null: it is there already. */
type RecordingDeps = {
  clock: Clock
  limits: RecorderLimits
  report: (error: unknown) => void
  agentLines: AgentFile | null
}

/** What one session's output becomes while it is read: lines of its log, rows, and what the runner is told. */
export class Recording {
  readonly #log: SessionLog
  readonly #hear: Listener
  readonly #deps: RecordingDeps
  readonly #splitter: EventSplitter
  /** Output that a command of the session wrote, and bytes that are no event lines: each stream has its own line. */
  readonly #lines: { command: Record<'stdout' | 'stderr', LineBuffer>; raw: Record<'stdout' | 'stderr', LineBuffer> }
  #latest: LineBuffer
  readonly #tail = new TailBuffer(DIGEST_BYTES)
  #messages: string[] = []
  #messagesLength = 0
  #result: Recorded['result'] = null
  /** Number of the last event line that was read. */
  #n = 0
  /** How much of each stream has come, and how much of it is recorded already, by a server before this one. */
  readonly #come = { stdout: 0, stderr: 0 }
  readonly #before: Readonly<Record<'stdout' | 'stderr', number>>
  /** When what is being read was printed, milliseconds UTC. */
  #at: number
  /** What is being read is in the record already. */
  #again = false
  /** Some events may be missing here: the next one may have any number. */
  #gap = false

  constructor(log: SessionLog, hear: Listener, deps: RecordingDeps) {
    this.#log = log
    this.#hear = hear
    this.#deps = deps
    this.#before = log.complete ? { stdout: Infinity, stderr: Infinity } : log.taken
    this.#at = deps.clock.now()
    const buffers = (): Record<'stdout' | 'stderr', LineBuffer> => ({ stdout: buffer(false), stderr: buffer(true) })
    const buffer = (stderr: boolean) =>
      new LineBuffer(deps.limits.lineBytes, (lines) => {
        this.#write(lines, stderr)
        this.#tail.push(lines)
      })
    this.#lines = { command: buffers(), raw: buffers() }
    this.#latest = this.#lines.raw.stdout
    this.#splitter = new EventSplitter({
      event: (event) => this.#event(event),
      raw: (bytes) => this.#output(this.#lines.raw.stdout, bytes),
    })
    log.partial = () => (this.#latest.waiting ? this.#latest.partial() : '')
  }

  /**
   * Each stream by itself always becomes the same lines, however it is cut and however the engine mixes the two. So what
   * is recorded already goes through the same machine without being written, and the rest goes on exactly there.
   */
  take({ stream, bytes, seam, at }: OutputFrame): void {
    this.#at = at ?? this.#deps.clock.now()
    const known = Math.min(bytes.length, Math.max(0, this.#before[stream] - this.#come[stream]))
    if (known > 0) this.#read(stream, bytes.subarray(0, known))
    if (known < bytes.length) {
      if (stream === 'stdout') this.#compare()
      if (seam) this.#gap = true
      this.#read(stream, bytes.subarray(known))
      this.#log.taken = { ...this.#log.taken, [stream]: this.#come[stream] }
    }
    this.#safely(() => this.#hear.onActivity())
  }

  end(): void {
    this.#again = this.#come.stdout < this.#before.stdout
    this.#splitter.end()
    this.#lines.command.stdout.end()
    this.#lines.command.stderr.end()
    this.#lines.raw.stdout.end()
    this.#again = this.#come.stderr < this.#before.stderr
    this.#lines.raw.stderr.end()
  }

  /** What the runner gets; the log's own figures come from the log. */
  outcome(): Pick<Recorded, 'result' | 'messages' | 'tail'> {
    return { result: this.#result, messages: this.#messages, tail: this.#tail.bytes().toString('utf8') }
  }

  #read(stream: OutputFrame['stream'], bytes: Buffer): void {
    this.#again = this.#come[stream] < this.#before[stream]
    this.#come[stream] += bytes.length
    if (stream === 'stdout') this.#splitter.push(bytes)
    else this.#output(this.#lines.raw.stderr, bytes)
  }

  /** Before the first new byte: an engine that lost some of its log would otherwise make every later event a forgery. */
  #compare(): void {
    if (this.#come.stdout > this.#before.stdout || this.#n === this.#log.n) return
    this.#n = this.#log.n
    this.#gap = true
  }

  #write(lines: Buffer, stderr = false): void {
    const mark = { at: this.#at, stderr }
    if (this.#again) this.#log.recall(lines, mark)
    else this.#log.append(lines, mark)
  }

  #output(buffer: LineBuffer, bytes: Buffer): void {
    this.#latest = buffer
    buffer.push(bytes)
  }

  /** False for one that is not due: a forgery or a repetition, and so no more than a line of output. */
  #event(event: EventLine): boolean {
    if (this.#gap && event.n <= this.#n) return true // recorded before the gap
    if (this.#gap) this.#closeGap(event.n)
    else if (event.n !== this.#n + 1) return false
    this.#n = event.n
    if (event.type === 'output') {
      if (!this.#again) this.#log.event(event.n, null)
      this.#output(this.#lines.command[event.stream], Buffer.from(event.text))
    } else if (event.type === 'raw') {
      if (!this.#again) this.#log.event(event.n, null)
      this.#deps.agentLines?.take(event.text)
    } else this.#structured(event)
    this.#safely(() => this.#hear.onEvent(event))
    return true
  }

  #closeGap(n: number): void {
    const missing = n - this.#n - 1
    if (missing > 0) this.#log.text(`! ${missing} events are missing here: nobody listened while they were written\n`)
    this.#gap = false
  }

  #structured(event: EventLine): void {
    // What a command printed without a newline at its end belongs before whatever comes after it.
    this.#lines.command.stdout.end()
    this.#lines.command.stderr.end()
    const line = this.#log.nextLine
    this.#write(Buffer.from(describeEvent(event)))
    const row = eventRow(event, this.#deps.clock.now(), line)
    if (!this.#again) this.#log.event(event.n, row)
    else if (row) this.#log.recallEvent()
    if (event.type === 'message') this.#remember(event.text)
    if (event.type === 'result') this.#result = event
  }

  #remember(text: string): void {
    this.#messages.push(text)
    this.#messagesLength += text.length
    while (this.#messagesLength > MESSAGES_LENGTH && this.#messages.length > 1)
      this.#messagesLength -= this.#messages.shift()!.length
  }

  /** A listener's bug costs the listener something, not the record. */
  #safely(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#deps.report(error)
    }
  }
}
