import type { SessionId } from '@beadloom/core/ids.ts'
import type { Checkpoint, RecordedEvent, SessionStore } from '../ports/store/sessions.ts'
import type { Clock } from '../process/clock.ts'
import { crashPoint } from '../process/crash-point.ts'
import type { RecorderLimits } from './limits.ts'
import type { LineMark } from './files/line-mark.ts'
import type { LogPosition } from './files/line-index.ts'
import type { LogFile } from './files/log-file.ts'

/** Rows that wait for a commit before they get one of their own. */
const MANY_EVENTS = 500

export type SessionLogDeps = {
  store: Pick<SessionStore, 'commitRecord'>
  clock: Clock
  limits: RecorderLimits
  /** Told when there is more to read. */
  grown: (session: SessionId) => void
  /** Told when a commit that nobody waits for has failed. */
  report: (error: unknown) => void
}

/**
 * One session's log while it is written, with the rows and the checkpoint that belong to it. What a reader sees is
 * what is committed: first the files, then the checkpoint with its rows in one transaction, then the new position.
 */
export class SessionLog {
  readonly #session: SessionId
  readonly #file: LogFile
  readonly #deps: SessionLogDeps
  #n: number
  /** Bytes of each stream that the log, its rows and what is still waiting for its line's end stand for. */
  taken: Record<'stdout' | 'stderr', number>
  #events: RecordedEvent[] = []
  #eventsLeft: number
  #committed: LogPosition
  #committedComplete: boolean
  #committedAt: number
  #stale = false
  #timer: AbortController | null = null
  #committing = false
  #writing: Promise<void> = Promise.resolve()
  #failed: unknown = null
  /** The record is complete as it stands: it was before (a note is added to it), or this is its last commit. */
  #final: boolean
  /** Nothing more comes from the session: the next `close` marks the record as complete. */
  complete: boolean
  /** The session goes on, and somebody else will go on with its record: `close` ends nothing. */
  letGo = false
  /** What is behind the last whole line, for readers. */
  partial: () => string = () => ''

  constructor(session: SessionId, file: LogFile, start: Checkpoint, deps: SessionLogDeps) {
    this.#session = session
    this.#file = file
    this.#deps = deps
    this.#n = start.n
    this.taken = { stdout: start.stdout, stderr: start.stderr }
    this.complete = start.complete
    this.#final = start.complete
    this.#eventsLeft = deps.limits.events
    this.#committed = file.position
    this.#committedComplete = start.complete
    this.#committedAt = deps.clock.monotonic()
  }

  /** The number of the last event line that is recorded. */
  get n(): number {
    return this.#n
  }

  get committed(): LogPosition {
    return this.#committed
  }

  /** The record was complete before anybody began to add to it, or is now. */
  get committedComplete(): boolean {
    return this.#committedComplete
  }

  /** The bytes [from, to) of the log while they are in memory; only what is committed is anybody's to read. */
  recent(from: number, to: number): Buffer | null {
    return to > this.#committed.logBytes ? null : this.#file.recent(from, to)
  }

  get nextLine(): number | null {
    return this.#file.nextLine
  }

  get droppedBytes(): number {
    return this.#file.droppedBytes
  }

  append(lines: Buffer, mark: LineMark): void {
    this.#file.append(lines, mark)
  }

  /** Lines that are in the log already; see `LogFile`. */
  recall(lines: Buffer, mark: LineMark): void {
    this.#file.recall(lines, mark)
  }

  /** A row that was written already counts, too. */
  recallEvent(): void {
    if (this.#eventsLeft > 0) this.#eventsLeft -= 1
  }

  /** What the server itself has to say, and so now. */
  text(lines: string): void {
    if (lines !== '') this.append(Buffer.from(lines), { at: this.#deps.clock.now(), stderr: false })
  }

  /** `row` null: an event that only moves the number. */
  event(n: number, row: RecordedEvent | null): void {
    this.#n = n
    if (!row || this.#eventsLeft === 0) return
    this.#eventsLeft -= 1
    this.#events.push(row)
    if (this.#eventsLeft > 0) return
    const text = `this session has written ${this.#deps.limits.events} events: from here on they are in the log only`
    this.#events.push({ type: 'warning', at: row.at, line: row.line, data: { text } })
    this.text(`! ${text}\n`)
  }

  /**
   * Something has changed: it is committed at once after a silence, else within `batchMs`. Resolves when there is room
   * for more; null: there is. One batch may be on its way to the disk while the next one is read, so that neither waits
   * for the other.
   */
  makeRoom(): Promise<void> | null {
    if (this.#failed) throw this.#failed
    if (this.#events.length >= MANY_EVENTS) return this.commit()
    const due = this.#deps.clock.monotonic() - this.#committedAt >= this.#deps.limits.batchMs
    if (due && !this.#committing) this.#commitBehind()
    else this.commitSoon()
    return this.#file.waitingBytes < this.#deps.limits.batchBytes ? null : this.#writeOn()
  }

  async #writeOn(): Promise<void> {
    await this.#writing
    this.#writing = this.#file.writeText()
    this.#writing.catch(() => {}) // thrown to whoever waits for it next
  }

  commitSoon(): void {
    this.#stale = true
    if (this.#timer) return
    const timer = new AbortController()
    this.#timer = timer
    void this.#commitLater(timer.signal)
  }

  async commit(): Promise<void> {
    this.#stale = false
    const position = this.#file.position
    const events = this.#events
    const reached = { n: this.#n, ...position, ...this.taken, tail: this.#file.tailBytes }
    this.#events = []
    await this.#file.write()
    const complete = this.#final
    const moved = events.length > 0 || complete || position.logBytes > this.#committed.logBytes
    if (moved) crashPoint('before-first-commit')
    if (moved) this.#deps.store.commitRecord(this.#session, { ...reached, complete } satisfies Checkpoint, events)
    this.#committed = position
    this.#committedComplete = complete
    this.#committedAt = this.#deps.clock.monotonic()
    this.#deps.grown(this.#session)
  }

  /** Everything to the disk, also the end of a log that left out its middle. */
  async close(): Promise<void> {
    this.#timer?.abort()
    if (!this.letGo) this.#file.finish(this.#deps.clock.now())
    try {
      await this.#file.write()
      if (this.complete) await this.#file.sync()
      this.#final = this.complete
      await this.commit()
    } finally {
      await this.#file.close()
    }
  }

  async #commitLater(signal: AbortSignal): Promise<void> {
    await this.#deps.clock.sleep(this.#deps.limits.batchMs, signal)
    this.#timer = null
    if (!signal.aborted && this.#stale) this.#commitBehind()
  }

  #commitBehind(): void {
    this.#committing = true
    const failed = (error: unknown) => {
      this.#failed = error // the next `makeRoom` throws it to who can act on it
      this.#deps.report(error)
    }
    void this.commit()
      .catch(failed)
      .finally(() => (this.#committing = false))
  }
}
