import type { EventLine } from '@beadloom/core/event-line.ts'
import type { OutputFrame } from '../ports/engine.ts'
import type { Listener, Recorded } from '../ports/recorder.ts'
import type { Clock } from '../process/clock.ts'
import { describeEvent } from './describe-event.ts'
import { eventRow } from './event-row.ts'
import { EventSplitter } from './event-splitter.ts'
import { DIGEST_BYTES, MESSAGES_LENGTH } from './limits.ts'
import type { RecorderLimits } from './limits.ts'
import { LineBuffer } from './line-buffer.ts'
import type { SessionLog } from './session-log.ts'
import { TailBuffer } from './tail-buffer.ts'

type RecordingDeps = { clock: Clock; limits: RecorderLimits; report: (error: unknown) => void }

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
  /** Recording goes on after a break: what the container repeats is known by its number. */
  #resuming: boolean

  constructor(log: SessionLog, hear: Listener, deps: RecordingDeps) {
    this.#log = log
    this.#hear = hear
    this.#deps = deps
    this.#resuming = log.n > 0
    const buffer = () =>
      new LineBuffer(deps.limits.lineBytes, (lines) => {
        log.append(lines)
        this.#tail.push(lines)
      })
    this.#lines = {
      command: { stdout: buffer(), stderr: buffer() },
      raw: { stdout: buffer(), stderr: buffer() },
    }
    this.#latest = this.#lines.raw.stdout
    this.#splitter = new EventSplitter({
      event: (event) => this.#event(event),
      raw: (bytes) => this.#output(this.#lines.raw.stdout, bytes),
    })
    log.partial = () => (this.#latest.waiting ? this.#latest.partial() : '')
  }

  take({ stream, bytes }: OutputFrame): void {
    if (stream === 'stdout') this.#splitter.push(bytes)
    else this.#output(this.#lines.raw.stderr, bytes)
    this.#safely(() => this.#hear.onActivity())
  }

  end(): void {
    this.#splitter.end()
    for (const { stdout, stderr } of Object.values(this.#lines)) {
      stdout.end()
      stderr.end()
    }
  }

  /** What the runner gets; the log's own figures come from the log. */
  outcome(): Pick<Recorded, 'result' | 'messages' | 'tail'> {
    return { result: this.#result, messages: this.#messages, tail: this.#tail.bytes().toString('utf8') }
  }

  #output(buffer: LineBuffer, bytes: Buffer): void {
    this.#latest = buffer
    buffer.push(bytes)
  }

  /** False for one that is not due: a forgery or a repetition, and so no more than a line of output. */
  #event(event: EventLine): boolean {
    if (this.#resuming && event.n <= this.#log.n) return true // already recorded before the break
    if (this.#resuming) this.#closeGap(event.n)
    else if (event.n !== this.#log.n + 1) return false
    if (event.type === 'output') {
      this.#log.event(event.n, null)
      this.#output(this.#lines.command[event.stream], Buffer.from(event.text))
    } else this.#structured(event)
    this.#safely(() => this.#hear.onEvent(event))
    return true
  }

  #closeGap(n: number): void {
    const missing = n - this.#log.n - 1
    if (missing > 0) this.#log.text(`! ${missing} events are missing here: nobody listened while they were written\n`)
    this.#resuming = false
  }

  #structured(event: EventLine): void {
    // What a command printed without a newline at its end belongs before whatever comes after it.
    this.#lines.command.stdout.end()
    this.#lines.command.stderr.end()
    const line = this.#log.nextLine
    this.#log.text(describeEvent(event))
    this.#log.event(event.n, eventRow(event, this.#deps.clock.now(), line))
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
