import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { openToWrite, readAt, writeAll } from './file-bytes.ts'

/**
 * A file beside the log. An error with it is reported once and never affects the log: nothing here rejects. A file that
 * cannot be opened or read counts as empty.
 */
export class SideFile {
  #handle: FileHandle | null
  readonly #report: (error: unknown) => void
  #told = false

  private constructor(handle: FileHandle | null, report: (error: unknown) => void) {
    this.#handle = handle
    this.#report = report
  }

  static async toWrite(path: string, report: (error: unknown) => void): Promise<SideFile> {
    try {
      return new SideFile(await openToWrite(path), report)
    } catch (error) {
      report(error)
      return new SideFile(null, report)
    }
  }

  /** A missing file is no error: older logs have none. */
  static async toRead(path: string): Promise<SideFile> {
    return new SideFile(await open(path, 'r').catch(() => null), () => {})
  }

  size(): Promise<number> {
    return this.#try(async (handle) => (await handle.stat()).size, 0)
  }

  read(position: number, length: number): Promise<Buffer> {
    return this.#try((handle) => readAt(handle, position, length), Buffer.alloc(0))
  }

  /** Resolves with false when not all of it was written. */
  write(bytes: Buffer, position: number): Promise<boolean> {
    return this.#try((handle) => writeAll(handle, bytes, position).then(() => true), false)
  }

  truncate(length: number): Promise<boolean> {
    return this.#try((handle) => handle.truncate(length).then(() => true), false)
  }

  sync(): Promise<void> {
    return this.#try((handle) => handle.datasync(), undefined)
  }

  async close(): Promise<void> {
    await this.#try((handle) => handle.close(), undefined)
    this.#handle = null
  }

  async #try<T>(use: (handle: FileHandle) => Promise<T>, otherwise: T): Promise<T> {
    if (!this.#handle) return otherwise
    try {
      return await use(this.#handle)
    } catch (error) {
      if (!this.#told) this.#report(error)
      this.#told = true
      return otherwise
    }
  }
}
