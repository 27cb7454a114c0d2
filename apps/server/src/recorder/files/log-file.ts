import { mkdir } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { plainStyle } from '@beadloom/core/text/sgr.ts'
import type { Style } from '@beadloom/core/text/sgr.ts'
import { openToWrite, writePatiently } from './file-bytes.ts'
import type { RecorderBounds } from '../bounds.ts'
import { LineIndex, entryCount, entryPosition, type LogPosition } from './line-index.ts'
import type { LineMark } from './line-mark.ts'
import type { LogPaths } from './log-paths.ts'
import { MarkFile } from './mark-file.ts'
import { RecentBytes } from './recent-bytes.ts'
import { SideFile } from './side-file.ts'
import { cutStyles, styleAt, writeStyles } from './style-file.ts'
import { TailBuffer } from './tail-buffer.ts'

/** `tail`: the bytes that came after the log was full. */
export type LogStart = LogPosition & { tail: number }

/**
 * One session's log, its index, its marks and its styles, append-only. `append` only collects; `write` writes to the
 * files.
 *
 * No fsync before `sync`: a killed server loses nothing that was written, since the kernel has the pages, and after a
 * power cut the log is cut to what the disk has. Twenty fsyncs a second for each session would cost more than
 * the output itself.
 */
export class LogFile {
  readonly #log: FileHandle
  readonly #index: FileHandle
  readonly #marks: MarkFile
  readonly #styles: SideFile
  readonly #bounds: RecorderBounds
  readonly #whenFull: WhenFull
  readonly #lines: LineIndex
  readonly #recent: RecentBytes
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #written: number
  #entriesWritten: number
  #writing: Promise<void> = Promise.resolve()
  /** Set once the log is full: keeps the end of the rest, and counts all of it. */
  #tail: TailBuffer | null = null
  #tailBytes = 0
  #dropped = 0
  /** The end of the output that an earlier server read after the log was full, collected while it is read again. */
  #recalled: TailBuffer | null = null

  private constructor(files: OpenFiles, bounds: RecorderBounds, start: LogStart, style: Style, whenFull: WhenFull) {
    this.#whenFull = whenFull
    this.#log = files.log
    this.#index = files.index
    this.#marks = files.marks
    this.#styles = files.styles
    this.#bounds = bounds
    this.#lines = new LineIndex(start.logLines, start.logBytes, style)
    this.#written = start.logBytes
    this.#recent = new RecentBytes(bounds.recentBytes, start.logBytes)
    this.#entriesWritten = entriesAt(start)
    if (start.tail === 0) return
    this.#tail = new TailBuffer(bounds.tailBytes)
    this.#tailBytes = start.tail
    this.#recalled = new TailBuffer(Math.min(bounds.tailBytes, start.tail))
  }

  /**
   * Continues at `start`; anything behind it is cut off. `report` gets errors with the files beside the log; `whenFull`
   * waits for room on the disk, and rejects to give up.
   */
  static async open(
    paths: LogPaths,
    bounds: RecorderBounds,
    start: LogStart,
    report: (error: unknown) => void,
    whenFull: WhenFull = rethrow,
  ): Promise<LogFile> {
    await mkdir(paths.folder, { recursive: true, mode: 0o700 })
    const log = await openToWrite(paths.log)
    const index = await openToWrite(paths.index)
    const [marks, styles] = await Promise.all([
      MarkFile.open(paths.marks, start.logLines, bounds.markBytes, report),
      SideFile.toWrite(paths.styles, report),
      log.truncate(start.logBytes),
      index.truncate(entryPosition(entriesAt(start))),
    ])
    await cutStyles(styles, start.logLines)
    const style =
      start.logLines === 0 ? plainStyle : await styleAt({ log, index, styles }, start).catch(plainly(report))
    return new LogFile({ log, index, marks, styles }, bounds, start, style, whenFull)
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  get droppedBytes(): number {
    return this.#dropped
  }

  /** Bytes that came after the log was full; 0: it is not. */
  get tailBytes(): number {
    return this.#tail ? this.#tailBytes : 0
  }

  /** The log's end once everything appended is written. */
  get position(): LogPosition {
    return { logBytes: this.#lines.bytes, logLines: this.#lines.lines }
  }

  /** The number of the next line; null when the line may be left out. */
  get nextLine(): number | null {
    return this.#tail ? null : this.#lines.lines
  }

  /**
   * Adds whole lines of valid UTF-8. The caller must not change the buffer afterwards: it is copied only when written.
   */
  append(lines: Buffer, mark: LineMark): void {
    if (!this.#tail && this.#lines.bytes + lines.length > this.#bounds.logBytes) this.#beginTail(mark.at)
    if (this.#tail) {
      this.#endRecall()
      this.#tail.push(lines, mark)
      this.#tailBytes += lines.length
    } else this.#keep(lines, mark)
  }

  /** Takes lines again that were appended before a restart; only the tail of a full log needs them. */
  recall(lines: Buffer, mark: LineMark): void {
    this.#recalled?.push(lines, mark)
  }

  /** Notes how much of the middle is left out, and adds the end. Call it once, after the last `append`. */
  finish(now: number): void {
    this.#endRecall()
    const end = this.#tail?.marked()
    if (!end) return
    this.#dropped = this.#tailBytes - end.reduce((sum, { lines }) => sum + lines.length, 0)
    this.#tail = null
    const mark = { at: end[0]?.mark.at ?? now, stderr: false }
    if (this.#dropped > 0) this.#keep(Buffer.from(`! ${this.#dropped} bytes were left out here\n`), mark)
    for (const piece of end) this.#keep(piece.lines, piece.mark)
  }

  /** Resolves when everything appended so far is in the files. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeWaiting())
    return this.#writing
  }

  /** Resolves when all text appended so far is in the log. Its index and marks can wait until the next checkpoint. */
  writeText(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeWaitingText())
    return this.#writing
  }

  /** The bytes [from, to) if they were written recently; null: they have to be read from the file. */
  recent(from: number, to: number): Buffer | null {
    return this.#recent.between(from, to)
  }

  async sync(): Promise<void> {
    await this.#log.datasync()
    await this.#index.datasync()
    await this.#marks.sync() // styles can be made again from the log
  }

  async close(): Promise<void> {
    await Promise.all([this.#log.close(), this.#index.close(), this.#marks.close(), this.#styles.close()])
  }

  #endRecall(): void {
    for (const { lines, mark } of this.#recalled?.marked() ?? []) this.#tail?.push(lines, mark)
    this.#recalled = null
  }

  #beginTail(at: number): void {
    this.#keep(
      Buffer.from(
        `! this log has reached ${this.#bounds.logBytes} bytes: from here on, only the last ${this.#bounds.tailBytes} bytes are kept\n`,
      ),
      { at, stderr: false },
    )
    this.#tail = new TailBuffer(this.#bounds.tailBytes)
  }

  #keep(lines: Buffer, mark: LineMark): void {
    if (lines.length === 0) return
    this.#marks.note(this.#lines.lines, mark)
    this.#lines.append(lines)
    this.#waiting.push(lines)
    this.#waitingBytes += lines.length
  }

  async #writeWaitingText(): Promise<void> {
    if (this.#waitingBytes === 0) return
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    await writePatiently(this.#log, bytes, this.#written, this.#whenFull)
    this.#written += bytes.length
    this.#recent.push(bytes)
  }

  async #writeWaiting(): Promise<void> {
    await this.#writeWaitingText()
    const marked = this.#marks.write()
    const entries = this.#lines.take()
    if (entries.length > 0) {
      await writeStyles(this.#styles, this.#entriesWritten, this.#lines.takeStyles())
      await writePatiently(this.#index, entries, entryPosition(this.#entriesWritten), this.#whenFull)
      this.#entriesWritten += entries.length / entryPosition(1)
    }
    await marked
  }
}

type WhenFull = (error: unknown) => Promise<void>

const rethrow: WhenFull = (error) => Promise.reject(error)

type OpenFiles = { log: FileHandle; index: FileHandle; marks: MarkFile; styles: SideFile }

/** Reports that the styles cannot be determined; the log is recorded all the same. */
const plainly = (report: (error: unknown) => void) => (error: unknown) => {
  report(error)
  return plainStyle
}

const entriesAt = ({ logLines }: LogPosition): number => (logLines === 0 ? 0 : entryCount(logLines))
