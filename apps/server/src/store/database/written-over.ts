import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { LogIndex } from './log-index.ts'

/** SQLite's header: sizes, counters and the version of the schema. */
const HEAD_BYTES = 100

/**
 * `folds`: which log the index is of, and how much of it is folded into the database: only folding changes the file.
 */
type Content = { mtime: bigint; size: bigint; head: string; folds: string }

/**
 * Whether a program without SQLite wrote into a database's file: after a `cp` over it, it is the same file, and SQLite
 * continues with pages of both. The file stays open as long as the database: closing it drops SQLite's locks.
 */
export class WrittenOver {
  readonly #descriptor: number
  readonly #index: () => LogIndex | null
  #known: Content | null
  /** When the suspected file was written. */
  #suspected: bigint | null = null

  /** @param index reads the present index */
  constructor(file: string, index: () => LogIndex | null) {
    this.#descriptor = openSync(file, 'r')
    this.#index = index
    this.#known = this.#now()
  }

  /** True only if two looks in a row found the same: others fold the log while this one looks. */
  isIt(): boolean {
    const known = this.#known
    const { mtime, size } = this.#stat()
    if (known !== null && mtime === known.mtime && size === known.size) return false
    const now = this.#now()
    if (now === null) return false
    const isOther = known?.folds === now.folds && (known.head !== now.head || known.size !== now.size)
    const isSure = isOther && this.#suspected === now.mtime
    this.#suspected = isOther ? now.mtime : null
    if (!isOther) this.#known = now
    return isSure
  }

  /** SQLite itself has written it, with no log. */
  wrote(): void {
    this.#known = this.#now()
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /**
   * Null: somebody is folding the log. The index is read after the file, since folding changes both, and twice, since
   * SQLite writes it in two parts.
   */
  #now(): Content | null {
    const head = Buffer.alloc(HEAD_BYTES)
    const before = this.#stat()
    readSync(this.#descriptor, head, 0, HEAD_BYTES, 0)
    const [one, other] = [this.#index(), this.#index()]
    const after = this.#stat()
    const isStill = before.mtime === after.mtime && before.size === after.size
    if (!isStill || !one || !other || one.isFolding || other.isFolding || foldsOf(one) !== foldsOf(other)) return null
    return { ...after, head: head.toString('hex'), folds: foldsOf(one) }
  }

  #stat(): Pick<Content, 'mtime' | 'size'> {
    const { mtimeNs, size } = fstatSync(this.#descriptor, { bigint: true })
    return { mtime: mtimeNs, size }
  }
}

const foldsOf = ({ salts, folded }: LogIndex): string => `${salts} ${folded}`
