import type { EventLine } from '@beadloom/core/log/event-line.ts'
import type { OutputFrame } from '../ports/sandbox.ts'
import type { HeardOutput, Listener, Recorded } from '../ports/recorder.ts'
import type { Clock } from '../process/clock.ts'
import type { AgentFile } from './files/agent-file.ts'
import { describeEvent } from './describe-event.ts'
import { eventRow } from './event-row.ts'
import { EventSplitter } from './event-splitter.ts'
import { DIGEST_BYTES, MESSAGES_LENGTH } from './bounds.ts'
import type { RecorderBounds } from './bounds.ts'
import { LastTexts } from './last-texts.ts'
import { LineBuffer } from './files/line-buffer.ts'
import type { SessionLog } from './session-log.ts'
import { TailBuffer } from './files/tail-buffer.ts'

/** `agentLines`: the file for the agent's own output; null: it has been written already. */
type RecordingDeps = {
  clock: Clock
  bounds: RecorderBounds
  report: (error: unknown) => void
  agentLines: AgentFile | null
}

/** Turns one session's output into lines of its log, event rows, and news for the session's driver. */
export class Recording {
  readonly #log: SessionLog
  readonly #hear: Listener
  readonly #deps: RecordingDeps
  readonly #splitter: EventSplitter
  /** Output of the session's commands, and bytes that are not event lines: each stream has its own unfinished line. */
  readonly #lines: { command: Record<'stdout' | 'stderr', LineBuffer>; raw: Record<'stdout' | 'stderr', LineBuffer> }
  #latest: LineBuffer
  readonly #tail = new TailBuffer(DIGEST_BYTES)
  readonly #messages = new LastTexts(MESSAGES_LENGTH)
  #result: Recorded['result'] = null
  /** Number of the last event line that was read. */
  #n = 0
  /** Bytes of each stream that have come; `#before`: those of them that an earlier server has recorded. */
  readonly #come = { stdout: 0, stderr: 0 }
  readonly #before: Readonly<Record<'stdout' | 'stderr', number>>
  /** The time at which the current bytes were printed, in milliseconds UTC. */
  #at: number
  /** Whether the current bytes are in the record already. */
  #again = false
  /** Whether events may be missing here: then the next one may have any number. */
  #gap = false
  /** Whether the current output was recorded before the gap. */
  #isOld = false

  constructor(log: SessionLog, hear: Listener, deps: RecordingDeps) {
    this.#log = log
    this.#hear = hear
    this.#deps = deps
    this.#before = log.complete ? { stdout: Infinity, stderr: Infinity } : log.taken
    this.#at = deps.clock.now()
    const buffers = (): Record<'stdout' | 'stderr', LineBuffer> => ({ stdout: buffer(false), stderr: buffer(true) })
    const buffer = (stderr: boolean) =>
      new LineBuffer(deps.bounds.lineBytes, (lines) => {
        this.#write(lines, stderr)
        this.#tail.push(lines)
      })
    this.#lines = { command: buffers(), raw: buffers() }
    this.#latest = this.#lines.raw.stdout
    this.#splitter = new EventSplitter({
      event: (event) => this.#event(event),
      head: ({ n }) => {
        const place = this.#place(n)
        this.#isOld = place === 'old'
        if (place === 'next') this.#counted(n)
        return place !== 'wrong'
      },
      output: (head, bytes) => this.#isOld || this.#commandOutput(head, bytes),
      raw: (bytes) => this.#output(this.#lines.raw.stdout, bytes),
    })
    log.partial = () => (this.#latest.waiting ? this.#latest.partial() : '')
  }

  /**
   * Records one frame. Each stream by itself always gives the same lines, however it is cut and however the engine
   * mixes the two. So output that is already recorded passes through the same code without being written, and recording
   * continues exactly after it.
   */
  take({ stream, bytes, skipped, at }: OutputFrame): void {
    this.#at = at ?? this.#deps.clock.now()
    if (skipped !== undefined) {
      this.#come[stream] += skipped
      this.#gap = true
      if (stream === 'stdout') this.#splitter.skip()
    }
    const known = Math.min(bytes.length, Math.max(0, this.#before[stream] - this.#come[stream]))
    if (known > 0) this.#read(stream, bytes.subarray(0, known))
    if (known < bytes.length) {
      if (stream === 'stdout') this.#compare()
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

  /** The runner's part of the result; the log's own figures come from the log. */
  outcome(): Pick<Recorded, 'result' | 'messages' | 'tail'> {
    return { result: this.#result, messages: this.#messages.all(), tail: this.#tail.bytes().toString('utf8') }
  }

  #read(stream: OutputFrame['stream'], bytes: Buffer): void {
    this.#again = this.#come[stream] < this.#before[stream]
    this.#come[stream] += bytes.length
    if (stream === 'stdout') this.#splitter.push(bytes)
    else this.#output(this.#lines.raw.stderr, bytes)
  }

  /** Checks before the first new byte whether the engine lost part of its log: every later event would look forged. */
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

  #event(event: EventLine): boolean {
    const place = this.#place(event.n)
    if (place !== 'next') return place === 'old'
    if (event.type === 'output') {
      this.#counted(event.n)
      this.#commandOutput(event, Buffer.from(event.text))
      return true
    }
    if (event.type === 'raw') {
      this.#counted(event.n)
      this.#deps.agentLines?.take(event.text)
    } else this.#structured(event)
    this.#safely(() => this.#hear.onEvent(event))
    return true
  }

  /** `old`: it was recorded before the gap. `wrong`: a forgery or a repetition, treated as a line of output. */
  #place(n: number): 'next' | 'old' | 'wrong' {
    if (this.#gap && n <= this.#n) return 'old'
    if (this.#gap) this.#closeGap(n)
    else if (n !== this.#n + 1) return 'wrong'
    this.#n = n
    return 'next'
  }

  /** Counts an event that has no row. */
  #counted(n: number): void {
    if (!this.#again) this.#log.event(n, null)
  }

  #commandOutput({ n, at, stream }: Omit<HeardOutput, 'type' | 'bytes'>, bytes: Buffer): void {
    this.#output(this.#lines.command[stream], bytes)
    this.#safely(() => this.#hear.onEvent({ n, at, type: 'output', stream, bytes }))
  }

  #closeGap(n: number): void {
    const missing = n - this.#n - 1
    if (missing > 0 && !this.#again)
      this.#log.text(
        `! ${missing === 1 ? '1 event is' : `${missing} events are`} missing here: no server was listening when ${missing === 1 ? 'it was' : 'they were'} written\n`,
      )
    this.#gap = false
  }

  #structured(event: Exclude<EventLine, { type: 'output' | 'raw' }>): void {
    // A command's output without a final newline ends before the next event.
    this.#lines.command.stdout.end()
    this.#lines.command.stderr.end()
    const line = this.#log.nextLine
    this.#write(Buffer.from(describeEvent(event)))
    const row = eventRow(event, this.#deps.clock.now(), line)
    if (!this.#again) this.#log.event(event.n, row)
    else if (row) this.#log.recallEvent(row)
    if (event.type === 'message') this.#messages.add(event.text)
    if (event.type === 'result') this.#result = event
  }

  /** Calls a listener: a bug in it must not damage the record. */
  #safely(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#deps.report(error)
    }
  }
}
