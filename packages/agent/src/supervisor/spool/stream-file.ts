import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

/**
 * The file that a session's processes write one of their streams to. They hold it open for appending, so while they
 * live it cannot be replaced, only emptied while all of them are stopped.
 *
 * Nobody may open it for writing by its name: `echo x > /dev/stderr` opens the file behind the descriptor again and
 * would empty it. Because it is read-only for its owner, that is refused ("Permission denied"), and the record stays
 * whole.
 */
export class StreamFile {
  /** Changes when its folder is moved. */
  path: string
  /** For the session's processes; null for a session of an earlier supervisor. */
  readonly writer: number | null
  /** Bytes from the file's beginning that are numbered already. */
  seen = 0
  #reader: number

  private constructor(path: string, writer: number | null, reader: number) {
    this.path = path
    this.writer = writer
    this.#reader = reader
  }

  /** Throws when the file exists, or the disk has no room for it. */
  static create(path: string): StreamFile {
    const writer = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o400)
    try {
      return new StreamFile(path, writer, openSync(path, O_RDONLY | O_NOFOLLOW))
    } catch (error) {
      closeSync(writer)
      throw error
    }
  }

  static open(path: string): StreamFile {
    return new StreamFile(path, null, openSync(path, O_RDONLY | O_NOFOLLOW))
  }

  size(): number {
    return fstatSync(this.#reader).size
  }

  /** False when the file no longer has these bytes. */
  read(target: Uint8Array, index: number, length: number, position: number): boolean {
    let done = 0
    while (done < length) {
      const count = readSync(this.#reader, target, index + done, length - done, position + done)
      if (count === 0) return false
      done += count
    }
    return true
  }

  /** Call it only while nobody can write. */
  empty(): void {
    if (this.writer !== null) ftruncateSync(this.writer, 0)
    this.seen = 0
  }

  close(): void {
    closeSync(this.#reader)
    if (this.writer !== null) closeSync(this.writer)
  }
}
