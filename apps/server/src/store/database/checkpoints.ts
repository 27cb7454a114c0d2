import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { workerFile } from '../../process/own-files.ts'
import type { InPlace } from './in-place.ts'
import type { Patience } from './patience.ts'

/** Above this size the write-ahead log is folded into the database: twice SQLite's own limit. */
const LARGE_BYTES = 8 * 1024 * 1024
/** The longest wait for requests that have begun to change something: a hold would refuse their writes. */
const CHANGES_MS = 5_000
/** Its size is read once in so many commits. */
const COMMITS_BETWEEN = 64

/**
 * Folds the write-ahead log into the database, on a thread of its own, since it waits for the disk. Nobody writes
 * meanwhile. The thread also writes the first record of the new log: its header is the only write for which SQLite
 * makes the writer wait.
 */
export class Checkpoints {
  readonly #file: string
  readonly #patience: Patience
  readonly #inPlace: InPlace
  readonly #report: (error: unknown) => void
  #commits = 0
  #worker: Worker | null = null

  constructor(file: string, patience: Patience, inPlace: InPlace, report: (error: unknown) => void) {
    this.#file = file
    this.#patience = patience
    this.#inPlace = inPlace
    this.#report = report
  }

  /** Never throws: the caller's write is stored by now. */
  committed(): void {
    this.#commits += 1
    if (this.#commits % COMMITS_BETWEEN !== 0 || this.#worker) return
    try {
      if ((statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0) >= LARGE_BYTES) this.#begin()
    } catch (error) {
      this.#report(error) // no thread can be started, or the disk does not answer: later commits try again
    }
  }

  close(): void {
    void this.#worker?.terminate()
  }

  /** The thread opens the files by their names. */
  #begin(): void {
    try {
      this.#inPlace.look()
    } catch {
      return // the next write tells it
    }
    const worker = new Worker(workerFile('store/database/checkpoint-worker.ts'), { workerData: this.#file })
    this.#worker = worker
    worker.once('message', async () => {
      await this.#patience.hold(CHANGES_MS)
      if (this.#worker === worker) worker.postMessage('now')
      else this.#patience.release()
    })
    worker.once('error', this.#report)
    worker.once('exit', () => {
      this.#worker = null
      this.#patience.release()
    })
  }
}
