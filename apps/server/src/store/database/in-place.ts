import { mkdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { fileStamp } from '@beadloom/core/text/file-stamp.ts'
import { shellWord } from '@beadloom/core/text/shell-word.ts'
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

const logEnds = ['-wal', '-shm'] as const

/** By device and inode; null: there is none. */
type Files = Readonly<Record<'database' | (typeof logEnds)[number], string | null>>

const nowhere: Files = { database: null, '-wal': null, '-shm': null }

const leadsNowhere: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/**
 * Whether the files that SQLite has open are still those at their names. Somebody may move, remove or replace them under
 * a running server, and SQLite goes on writing into files that nobody finds again.
 *
 * A log that is gone is saved by folding it into the database, and made anew. A database that is gone takes no more
 * writes, since each would be lost at the end of this process, and what it has is copied to where `restore` finds it.
 */
export class InPlace {
  readonly #place: Place
  /** The files that SQLite has open. */
  #open: Files
  #gone = false
  #copy: string | null = null
  #copyAgainAt = 0

  /** The files as they are now are the right ones. Throws as `stat` does. */
  constructor(place: Place) {
    this.#place = place
    this.#open = filesAt(place.file)
  }

  /** Before a write: looks only where something is known to be wrong. Throws `gone`. */
  admit(): void {
    if (this.#gone) this.look()
  }

  /** Throws `StoreError` `gone`, or what SQLite says where a log cannot be saved yet. */
  look(): void {
    const { file } = this.#place
    const found = this.#found()
    if (found === null) return
    if (found.database !== this.#open.database) {
      this.#gone = true
      this.#copyOnce(found)
      throw new StoreError('gone', this.#sentence(found))
    }
    this.#gone = false
    this.#copy = null
    const missing = logEnds.filter((end) => found[end] !== this.#open[end])
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

  /**
   * Null: the disk does not say (an error of its own, a folder that may not be searched), so nothing is known to be wrong,
   * and the writes themselves tell about the disk. A database that was gone stays so.
   */
  #found(): Files | null {
    try {
      return filesAt(this.#place.file)
    } catch {
      return this.#gone ? nowhere : null
    }
  }

  /** In the other journal mode SQLite has folded the log into the database, and forgets the files that it had open. */
  #makeLogAnew(): void {
    const { db, file, newLog } = this.#place
    try {
      db.pragma('journal_mode = DELETE')
    } finally {
      db.pragma('journal_mode = WAL')
    }
    db.prepare('SELECT count(*) FROM meta').get() // the files are made by the first that reads
    newLog()
    this.#open = { ...filesAt(file), database: this.#open.database }
  }

  /** Also where the whole folder is gone: the next start finds the copy there, and does not begin as if it were new. */
  #copyOnce(found: Files): void {
    const { db, file, clock, report } = this.#place
    if (this.#copy !== null || clock.monotonic() < this.#copyAgainAt) return
    const target = join(dirname(file), 'backups', `gone-${fileStamp(clock.now())}.db`)
    try {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      copyInto(db, target)
      this.#copy = target
    } catch (error) {
      this.#copyAgainAt = clock.monotonic() + COPY_AGAIN_MS
      report(error)
    }
    report(new StoreError('gone', this.#sentence(found)))
  }

  #sentence({ database }: Files): string {
    const { file } = this.#place
    const what = database === null ? `${file} was moved or removed` : `another file is in the place of ${file}`
    const kept =
      this.#copy === null
        ? 'What it has could not be copied yet: do not stop the server'
        : `Everything that it had is saved in ${this.#copy}`
    return `${what} while the server runs. ${kept}. Put the file back, and changes continue; or stop the server and run: beadloom restore --data ${shellWord(dirname(file))}`
  }
}

function filesAt(file: string): Files {
  return { database: identity(file), '-wal': identity(`${file}-wal`), '-shm': identity(`${file}-shm`) }
}

/** Throws where the disk does not say which file it is. */
function identity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && leadsNowhere.has(error.code)) return null
    throw error
  }
}
