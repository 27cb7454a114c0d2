import { mkdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { shellWord } from '@beadloom/core/text/shell-word.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { StoreError } from '../../ports/store/errors.ts'
import type { Clock } from '../../process/clock.ts'
import { copyInto } from './copy-into.ts'

/** A copy of a large database takes seconds, in which nothing else is done. */
const COPY_AGAIN_MS = 60_000

type Place = {
  db: Database
  file: string
  clock: Clock
  /** The write-ahead log is another file from now on. */
  newLog: () => void
  report: (error: unknown) => void
}

/**
 * Whether the files that SQLite has open are still those at their names. Somebody may move, remove or replace them under
 * a running server, and SQLite goes on writing into files that nobody finds again.
 *
 * A log that is gone is saved by folding it into the database, and made anew. A database that is gone takes no more
 * writes, since each would be lost at the end of this process, and what it has is copied to where `restore` finds it.
 */
export class InPlace {
  readonly #place: Place
  readonly #database: string | null
  #logs: readonly (string | null)[]
  #gone = false
  #copy: string | null = null
  #copyAgainAt = 0

  /** The files as they are now are the right ones. */
  constructor(place: Place) {
    this.#place = place
    this.#database = identity(place.file)
    this.#logs = this.#logFiles()
  }

  /** Before a write: looks only where something is known to be wrong. Throws `gone`. */
  admit(): void {
    if (this.#gone) this.look()
  }

  /** Throws `StoreError` `gone`, or what SQLite says where a log cannot be saved yet. */
  look(): void {
    const { file } = this.#place
    const found = identity(file)
    if (found !== this.#database) {
      this.#gone = true
      this.#copyOnce()
      throw new StoreError('gone', this.#sentence(found === null))
    }
    this.#gone = false
    this.#copy = null
    const logs = this.#logFiles()
    const missing = ['-wal', '-shm'].filter((_, at) => logs[at] !== this.#logs[at])
    if (missing.length === 0) return
    this.#makeLogAnew()
    const names = missing.map((end) => `${basename(file)}${end}`).join(' and ')
    this.#place.report(
      new StoreError(
        'gone',
        `${names} was removed or replaced in ${dirname(file)} while the server runs. Everything was saved into ${basename(file)}, and nothing was lost. Leave the three files to the server`,
      ),
    )
  }

  /** In the other journal mode SQLite has folded the log into the database, and forgets the files that it had open. */
  #makeLogAnew(): void {
    const { db, newLog } = this.#place
    try {
      db.pragma('journal_mode = DELETE')
    } finally {
      db.pragma('journal_mode = WAL')
    }
    db.prepare('SELECT count(*) FROM meta').get() // the files are made by the first that reads
    this.#logs = this.#logFiles()
    newLog()
  }

  #logFiles(): (string | null)[] {
    return ['-wal', '-shm'].map((end) => identity(`${this.#place.file}${end}`))
  }

  #copyOnce(): void {
    const { db, file, clock, report } = this.#place
    if (this.#copy !== null || clock.monotonic() < this.#copyAgainAt) return
    const stamp = new Date(clock.now()).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')
    const target = join(dirname(file), 'backups', `gone-${stamp}.db`)
    try {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      copyInto(db, target)
      this.#copy = target
    } catch (error) {
      this.#copyAgainAt = clock.monotonic() + COPY_AGAIN_MS
      report(error)
    }
    report(new StoreError('gone', this.#sentence(identity(file) === null)))
  }

  #sentence(missing: boolean): string {
    const { file } = this.#place
    const what = missing ? `${file} was moved or removed` : `another file is in the place of ${file}`
    const kept =
      this.#copy === null
        ? 'What it has could not be copied yet: do not stop the server'
        : `Everything that it had is saved in ${this.#copy}`
    return `${what} while the server runs. ${kept}. Put the file back, and changes continue; or stop the server and run: beadloom restore --data ${shellWord(dirname(file))}`
  }
}

function identity(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found ? `${found.dev}:${found.ino}` : null
  } catch (error) {
    return messageOf(error)
  }
}
