import { mkdir, open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { RecorderLimits } from './limits.ts'
import { LineIndex, entryCount, entryPosition } from './line-index.ts'
import type { LogPaths } from './log-paths.ts'
import { TailBuffer } from './tail-buffer.ts'

export type LogPosition = { logBytes: number; logLines: number }
/** `tail`: bytes that came after the log was full. */
export type LogStart = LogPosition & { tail: number }

/**
 * One session's log and its index, append-only. `append` only remembers; `write` brings it to the files.
 *
 * No fsync before `sync`: a killed server loses nothing that was written, since the pages belong to the kernel, and
 * after a power cut the log is cut to what the disk has. Twenty fsyncs a second for each session would cost more than
 * the output itself.
 */
export class LogFile {
  readonly #log: FileHandle
  readonly #index: FileHandle
  readonly #limits: RecorderLimits
  readonly #lines: LineIndex
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #written: number
  #entriesWritten: number
  #writing: Promise<void> = Promise.resolve()
  /** From here on only the end is kept: what has passed through it, and how much that was. */
  #tail: TailBuffer | null = null
  #tailBytes = 0
  #dropped = 0
  /** The end of what came before this server and after the log was full, as it comes again. */
  #recalled: TailBuffer | null = null

  private constructor(log: FileHandle, index: FileHandle, limits: RecorderLimits, start: LogStart) {
    this.#log = log
    this.#index = index
    this.#limits = limits
    this.#lines = new LineIndex(start.logLines, start.logBytes)
    this.#written = start.logBytes
    this.#entriesWritten = start.logLines === 0 ? 0 : entryCount(start.logLines)
    if (start.tail === 0) return
    this.#tail = new TailBuffer(limits.tailBytes)
    this.#tailBytes = start.tail
    this.#recalled = new TailBuffer(Math.min(limits.tailBytes, start.tail))
  }

  /** Goes on at `start`; whatever lies behind it is cut off. */
  static async open(paths: LogPaths, limits: RecorderLimits, start: LogStart): Promise<LogFile> {
    await mkdir(paths.folder, { recursive: true, mode: 0o700 })
    const log = await openToWrite(paths.log)
    const index = await openToWrite(paths.index)
    const file = new LogFile(log, index, limits, start)
    await log.truncate(start.logBytes)
    await index.truncate(entryPosition(file.#entriesWritten))
    return file
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  get droppedBytes(): number {
    return this.#dropped
  }

  /** Bytes that wait for the end of a log that is full; 0: it is not. */
  get tailBytes(): number {
    return this.#tail ? this.#tailBytes : 0
  }

  /** Where the log ends once all that was appended is written. */
  get position(): LogPosition {
    return { logBytes: this.#lines.bytes, logLines: this.#lines.lines }
  }

  /** The number that the next line gets; null when it may be left out. */
  get nextLine(): number | null {
    return this.#tail ? null : this.#lines.lines
  }

  /** Whole lines of valid UTF-8. They are copied. */
  append(lines: Buffer): void {
    if (!this.#tail && this.#lines.bytes + lines.length > this.#limits.logBytes) this.#beginTail()
    if (this.#tail) {
      this.#endRecall()
      this.#tail.push(lines)
      this.#tailBytes += lines.length
    } else this.#keep(lines)
  }

  /** Lines that were appended before a restart, coming again: only the tail of a full log needs them. */
  recall(lines: Buffer): void {
    this.#recalled?.push(lines)
  }

  /** Writes what was left out of the middle, and the end. To be called once, after the last `append`. */
  finish(): void {
    this.#endRecall()
    const end = this.#tail?.bytes()
    if (!end) return
    this.#dropped = this.#tailBytes - end.length
    this.#tail = null
    if (this.#dropped > 0) this.#keep(Buffer.from(`! ${this.#dropped} bytes were left out here\n`))
    this.#keep(end)
  }

  /** Resolves when everything appended so far is in both files. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeWaiting())
    return this.#writing
  }

  async sync(): Promise<void> {
    await this.#log.datasync()
    await this.#index.datasync()
  }

  async close(): Promise<void> {
    await this.#log.close()
    await this.#index.close()
  }

  #endRecall(): void {
    if (this.#recalled) this.#tail?.push(this.#recalled.bytes())
    this.#recalled = null
  }

  #beginTail(): void {
    this.#keep(
      Buffer.from(
        `! this log has reached ${this.#limits.logBytes} bytes: of what follows only the last ${this.#limits.tailBytes} bytes are kept\n`,
      ),
    )
    this.#tail = new TailBuffer(this.#limits.tailBytes)
  }

  #keep(lines: Buffer): void {
    this.#lines.append(lines)
    this.#waiting.push(Buffer.from(lines))
    this.#waitingBytes += lines.length
  }

  async #writeWaiting(): Promise<void> {
    if (this.#waitingBytes > 0) {
      const bytes = Buffer.concat(this.#waiting)
      this.#waiting = []
      this.#waitingBytes = 0
      await writeAll(this.#log, bytes, this.#written)
      this.#written += bytes.length
    }
    const entries = this.#lines.take()
    if (entries.length === 0) return
    await writeAll(this.#index, entries, entryPosition(this.#entriesWritten))
    this.#entriesWritten += entries.length / entryPosition(1)
  }
}

/** Read and write, made where it is missing, never emptied. */
async function openToWrite(path: string): Promise<FileHandle> {
  const handle = await open(path, 'a', 0o600)
  await handle.close()
  return open(path, 'r+')
}

/** A write may be short (a full disk, a signal). */
async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
