import type { SessionId } from '@beadloom/core/records/ids.ts'
import { Pace } from '@beadloom/core/time/pace.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import type { Offsets } from '../ports/sandbox.ts'
import type { PatientStore } from '../ports/store/patient.ts'
import type { Checkpoint, RecordedEvent } from '../ports/store/sessions.ts'
import type { Clock } from '../process/clock.ts'
import { crashPoint } from '../process/crash-point.ts'
import type { RecorderBounds } from './bounds.ts'
import type { LineMark } from './files/line-mark.ts'
import type { LogPosition } from './files/line-index.ts'
import type { LogFile } from './files/log-file.ts'

/** With so many rows, or bytes of them, a commit does not wait for the next batch. */
const MANY_EVENTS = 500
const MANY_EVENT_BYTES = 1024 ** 2
/** So many wait while the database is locked, to be written in one go; after that the session waits, too. */
const MOST_EVENTS = 20_000
const MOST_EVENT_BYTES = 4 * 1024 ** 2

export type SessionLogDeps = {
  store: Pick<PatientStore, 'commitRecord'>
  clock: Clock
  bounds: RecorderBounds
  /** Called when there is more to read. */
  grown: (session: SessionId) => void
  /** Called when a commit that nobody awaits has failed. */
  report: (error: unknown) => void
}

/**
 * One session's log while it is written, with its rows and its checkpoint. Readers see what is committed: first the
 * files, then the checkpoint with its rows in one transaction, then the new position.
 */
export class SessionLog {
  readonly #session: SessionId
  readonly #file: LogFile
  readonly #deps: SessionLogDeps
  #n: number
  /** Bytes of each stream that have been read, including those of a line that has not ended yet. */
  taken: Offsets
  #events: RecordedEvent[] = []
  #eventBytes = 0
  #eventsLeft: number
  #eventBytesLeft: number
  #committed: LogPosition
  #committedComplete: boolean
  readonly #pace: Pace
  #stale = false
  #timer: AbortController | null = null
  #committing = false
  /** Whether the last commit is under way. */
  #closing = false
  #behind: Promise<void> = Promise.resolve()
  #writing: Promise<void> = Promise.resolve()
  #failed: unknown = null
  /** Whether the record is complete: it was before (a note is being added), or this is its last commit. */
  #final: boolean
  /** The session prints nothing more: the next `close` marks the record as complete. */
  complete: boolean
  /** The session continues, and the next server continues its record: `close` completes nothing. */
  letGo = false
  /** The text after the last whole line, for readers. */
  partial: () => string = () => ''

  constructor(session: SessionId, file: LogFile, start: Checkpoint, deps: SessionLogDeps) {
    this.#session = session
    this.#file = file
    this.#deps = deps
    this.#n = start.n
    this.taken = { stdout: start.stdout, stderr: start.stderr }
    this.complete = start.complete
    this.#final = start.complete
    this.#eventsLeft = deps.bounds.events
    this.#eventBytesLeft = deps.bounds.eventBytes
    this.#committed = file.position
    this.#committedComplete = start.complete
    this.#pace = new Pace(deps.bounds.commits)
  }

  /** The number of the last event line that is recorded. */
  get n(): number {
    return this.#n
  }

  get committed(): LogPosition {
    return this.#committed
  }

  /** Whether the record was complete when it was opened, or is now. */
  get committedComplete(): boolean {
    return this.#committedComplete
  }

  /** The bytes [from, to) of the log while they are in memory; null for bytes that are not committed yet. */
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

  /** Lines that are in the log already; see `LogFile.recall`. */
  recall(lines: Buffer, mark: LineMark): void {
    this.#file.recall(lines, mark)
  }

  /** Counts a row that an earlier server has written. */
  recallEvent(row: RecordedEvent): void {
    if (this.#eventsMayFollow) this.#spend(row)
  }

  /** Adds a line from the server itself, with the current time. */
  text(lines: string): void {
    if (lines !== '') this.append(Buffer.from(lines), { at: this.#deps.clock.now(), stderr: false })
  }

  /** `row` null: an event that only advances the number. */
  event(n: number, row: RecordedEvent | null): void {
    this.#n = n
    if (!row || !this.#eventsMayFollow) return
    this.#eventBytes += this.#spend(row)
    this.#events.push(row)
    if (this.#eventsMayFollow) return
    const { events, eventBytes } = this.#deps.bounds
    const much = this.#eventsLeft > 0 ? `${bytesText(eventBytes)} of events` : `${events} events`
    const text = `this session has written ${much}: later ones are in the log only`
    this.#events.push({ type: 'warning', at: row.at, line: row.line, data: { text } })
    this.text(`! ${text}\n`)
  }

  get #eventsMayFollow(): boolean {
    return this.#eventsLeft > 0 && this.#eventBytesLeft > 0
  }

  /** Counts a row against the bounds. Returns its bytes. */
  #spend({ data }: RecordedEvent): number {
    const bytes = Buffer.byteLength(JSON.stringify(data))
    this.#eventsLeft -= 1
    this.#eventBytesLeft -= bytes
    return bytes
  }

  /**
   * Call it after each piece, which is committed at once or, in a flood, in steps. Resolves when there is room for
   * more; null: there is room. One batch may be written while the next one is read, so neither waits for the other.
   */
  makeRoom(): Promise<void> | null {
    if (this.#failed) throw this.#failed
    const [rows, bytes] = [this.#events.length, this.#eventBytes]
    if ((rows >= MANY_EVENTS || bytes >= MANY_EVENT_BYTES) && !this.#committing) return this.commit()
    if (rows >= MOST_EVENTS || bytes >= MOST_EVENT_BYTES) return this.#behind
    this.#stale = true
    this.#commitWhenDue()
    return this.#file.waitingBytes < this.#deps.bounds.batchBytes ? null : this.#writeOn()
  }

  async #writeOn(): Promise<void> {
    await this.#writing
    this.#writing = this.#file.writeText()
    this.#writing.catch(() => {}) // thrown by the next call that awaits it
  }

  async commit(): Promise<void> {
    this.#stale = false
    const position = this.#file.position
    const events = this.#events
    const reached = { n: this.#n, ...position, ...this.taken, tail: this.#file.tailBytes }
    this.#events = []
    this.#eventBytes = 0
    await this.#file.write()
    const complete = this.#final
    const moved = events.length > 0 || complete || position.logBytes > this.#committed.logBytes
    if (moved) crashPoint('before-first-commit')
    if (moved) await this.#deps.store.commitRecord(this.#session, { ...reached, complete } satisfies Checkpoint, events)
    // Two may be under way: while one with rows waits for the disk, a later one without rows may finish first.
    if (position.logBytes > this.#committed.logBytes) this.#committed = position
    this.#committedComplete ||= complete
    this.#deps.grown(this.#session)
  }

  /** Writes everything to the disk, including the end of a log whose middle was left out. */
  async close(): Promise<void> {
    this.#closing = true
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

  /** A commit that is under way looks again when it is done. */
  #commitWhenDue(): void {
    if (this.#committing || this.#timer) return
    const { clock } = this.#deps
    const wait = this.#pace.wait(clock.monotonic())
    if (wait <= 0) return this.#commitBehind()
    const timer = new AbortController()
    this.#timer = timer
    void clock.sleep(wait, timer.signal).then(() => {
      this.#timer = null
      if (!timer.signal.aborted && this.#stale) this.#commitBehind()
    })
  }

  #commitBehind(): void {
    this.#committing = true
    this.#pace.took(this.#deps.clock.monotonic())
    const failed = (error: unknown) => {
      this.#failed = error // thrown by the next `makeRoom`, whose caller can act on it
      this.#deps.report(error)
    }
    this.#behind = this.commit()
      .catch(failed)
      .finally(() => {
        this.#committing = false
        if (this.#stale && !this.#closing) this.#commitWhenDue()
      })
  }
}
