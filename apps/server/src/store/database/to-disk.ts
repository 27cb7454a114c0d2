import { close, closeSync, fdatasync, openSync } from 'node:fs'
import type { Clock } from '../../process/clock.ts'

const AGAIN_AFTER_MS = 1_000

/**
 * Brings commits to the disk, beside the event loop: a disk may take seconds for it. SQLite itself does not wait
 * (`synchronous = NORMAL`); simultaneous commits share one wait.
 *
 * Only the write-ahead log is opened here. SQLite holds no lock on it; closing any descriptor of the database itself
 * would drop this process's locks.
 */
export class ToDisk {
  readonly #file: string
  readonly #clock: Clock
  readonly #failed: (error: unknown) => void
  #descriptor: number | null = null
  #committed = 0
  #safe = 0
  #flushing: Promise<void> | null = null
  #closed = false

  /** @param wal the write-ahead log, which exists once something was written */
  constructor(wal: string, clock: Clock, failed: (error: unknown) => void) {
    this.#file = wal
    this.#clock = clock
    this.#failed = failed
  }

  /** A commit that has to last. */
  committed(): void {
    this.#committed += 1
    this.#flushing ??= this.#flush()
  }

  /** The number of commits so far, for `reached`. */
  get now(): number {
    return this.#committed
  }

  /** Resolves once everything up to this commit is on the disk. */
  async reached(commit: number): Promise<void> {
    while (this.#safe < commit && this.#flushing) await this.#flushing
  }

  /** Another file has the log's name now, and the old one is completely in the database. */
  newLog(): void {
    const old = this.#descriptor
    this.#descriptor = null
    if (old !== null && !this.#flushing) closeSync(old)
    else if (old !== null) void this.#flushing?.then(() => closeSync(old))
  }

  close(): void {
    this.#closed = true
    if (this.#flushing || this.#descriptor === null) return
    closeSync(this.#descriptor)
  }

  async #flush(): Promise<void> {
    await Promise.resolve() // commits of this turn go together
    while (this.#safe < this.#committed && !this.#closed) {
      const upTo = this.#committed
      try {
        this.#descriptor ??= openSync(this.#file, 'r+')
        await sync(this.#descriptor)
        this.#safe = upTo
      } catch (error) {
        this.#failed(error)
        if (!this.#closed) await this.#clock.sleep(AGAIN_AFTER_MS)
      }
    }
    this.#flushing = null
    if (this.#closed && this.#descriptor !== null) close(this.#descriptor)
  }
}

const sync = (descriptor: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(descriptor, (error) => (error ? reject(error) : resolve())))
