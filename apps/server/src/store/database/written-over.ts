import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { LogIndex } from './log-index.ts'

/** SQLite's header: sizes, counters and the version of the schema. */
const HEAD_BYTES = 100

/** A database's file as it was after somebody folded the log into it, which alone changes it. */
type Content = { mtime: bigint; size: bigint; head: string; folds: string }

/**
 * Whether a database's file was written by somebody who does not know SQLite: `cp` over it leaves it the same file, and
 * SQLite goes on with pages of both. The file is open for as long as the database is: to close it drops SQLite's locks.
 */
export class WrittenOver {
  readonly #descriptor: number
  #known: Content

  constructor(file: string, index: LogIndex | null) {
    this.#descriptor = openSync(file, 'r')
    this.#known = this.#now(index)
  }

  /** `index`: as it was read after everything before this call; while the log is folded nothing is known. */
  isIt(index: LogIndex | null): boolean {
    const stat = fstatSync(this.#descriptor, { bigint: true })
    if (stat.mtimeNs === this.#known.mtime && stat.size === this.#known.size) return false
    if (index === null || index.isFolding) return false
    const now = this.#now(index)
    const isOther = now.folds === this.#known.folds && (now.head !== this.#known.head || now.size !== this.#known.size)
    if (!isOther) this.#known = now
    return isOther
  }

  /** SQLite itself has written it, with no log. */
  wrote(index: LogIndex | null): void {
    this.#known = this.#now(index)
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #now(index: LogIndex | null): Content {
    const { mtimeNs, size } = fstatSync(this.#descriptor, { bigint: true })
    const head = Buffer.alloc(HEAD_BYTES)
    readSync(this.#descriptor, head, 0, HEAD_BYTES, 0)
    return { mtime: mtimeNs, size, head: head.toString('hex'), folds: `${index?.salts} ${index?.folded}` }
  }
}
