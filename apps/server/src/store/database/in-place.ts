import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { fileStamp } from '@beadloom/core/text/file-stamp.ts'
import { shellWord } from '@beadloom/core/text/shell-word.ts'
import type { StoreNote } from '../../ports/store.ts'
import { StoreError } from '../../ports/store/errors.ts'
import type { Clock } from '../../process/clock.ts'
import { copyInto } from './copy-into.ts'
import { isLogOf, isShort, readIndex, type LogIndex } from './log-index.ts'
import { wayBack } from './lost.ts'
import { WrittenOver } from './written-over.ts'

/** Copying a large database takes seconds, in which nothing else is done. */
const COPY_AGAIN_MS = 60_000

const TOLD_MS = 24 * 3_600_000

type Place = {
  db: Database
  file: string
  clock: Clock
  /** Called when the write-ahead log is another file. */
  newLog: () => void
  report: (error: unknown) => void
}

const logEnds = ['-wal', '-shm'] as const

/** By device and inode; null: there is none. */
type Files = Readonly<Record<'database' | (typeof logEnds)[number], string | null>>

type Wrong = 'elsewhere' | 'emptied' | 'written over'

const nowhere: Files = { database: null, '-wal': null, '-shm': null }

const leadsNowhere: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/**
 * Whether the files that SQLite has open are still those at their names. Somebody may move, remove or replace them
 * under a running server, and SQLite continues to write into files that nobody finds again.
 *
 * A missing log is saved by folding it into the database, and made anew. A missing database takes no more writes, since
 * each would be lost when this process ends, and is copied to where `restore` finds it. The same is done if somebody
 * emptied the log in its place: further writes would leave zeros in it, which the next checkpoint would take for pages.
 * A database that somebody wrote over is neither theirs nor ours: it is put aside, so that no start takes it for whole.
 */
export class InPlace {
  readonly #place: Place
  /** The files that SQLite has open. */
  #open: Files
  #gone: Wrong | null = null
  #copy: string | null = null
  #copyAgainAt = 0
  /** The log's index, open for as long as the database is: closing it drops SQLite's locks. */
  #index: number
  readonly #writtenOver: WrittenOver
  #isAside = false
  #mended: StoreNote | null = null

  /** Accepts the present files as the right ones. Throws as `stat` does. */
  constructor(place: Place) {
    this.#place = place
    this.#open = filesAt(place.file)
    this.#index = openSync(`${place.file}-shm`, 'r')
    this.#writtenOver = new WrittenOver(place.file, () => readIndex(this.#index))
  }

  /** The last time a log was made anew, for a day: whoever removed it may not read the server's log. */
  get mended(): StoreNote | null {
    if (this.#mended !== null && this.#place.clock.now() - this.#mended.at > TOLD_MS) this.#mended = null
    return this.#mended
  }

  /** Called after the database was closed. */
  close(): void {
    closeSync(this.#index)
    this.#writtenOver.close()
  }

  /** Called before a write: looks closely only if something is wrong. Throws `gone`. */
  admit(): void {
    if (this.#gone !== null || this.#isShort()) this.look()
  }

  /** Throws `StoreError` `gone`, or SQLite's error if a log cannot be saved yet. */
  look(): void {
    const { file } = this.#place
    const found = this.#found()
    if (found === null) return
    const wrong = this.#wrongWith(found)
    if (wrong !== null) {
      this.#gone = wrong
      if (wrong !== 'written over') this.#copyOnce(found)
      throw new StoreError('gone', this.#sentence(found))
    }
    this.#gone = null
    this.#copy = null
    const missing = this.#missing(found)
    if (missing.length === 0) return
    this.#makeLogAnew()
    const names = missing.map((end) => `${basename(file)}${end}`).join(' and ')
    const text = `${names} was removed or replaced in ${dirname(file)} while the server runs. Everything was saved into ${basename(file)}, and nothing was lost. Leave the three files to the server`
    this.#mended = { at: this.#place.clock.now(), text }
    this.#place.report(new StoreError('gone', text))
  }

  #wrongWith(found: Files): Wrong | null {
    if (this.#gone === 'written over') return this.#gone
    if (found.database !== this.#open.database) return 'elsewhere'
    if (this.#writtenOver.isIt()) {
      this.#putAside()
      return 'written over'
    }
    return this.#missing(found).length === 0 && this.#isEmptied() ? 'emptied' : null
  }

  #missing(found: Files): readonly string[] {
    return logEnds.filter((end) => found[end] !== this.#open[end])
  }

  #putAside(): void {
    const { file, report } = this.#place
    try {
      renameSync(file, `${file}.written-over`)
      this.#isAside = true
    } catch (error) {
      report(error)
    }
    report(new StoreError('gone', this.#overText()))
  }

  /**
   * Null: the disk does not say (an error of its own, a folder that may not be searched), so nothing is known to be
   * wrong, and the writes themselves report the disk. A database that was gone stays so.
   */
  #found(): Files | null {
    try {
      return filesAt(this.#place.file)
    } catch {
      return this.#gone === null ? null : nowhere
    }
  }

  /** In the other journal mode SQLite folds the log into the database, and forgets the files that it had open. */
  #makeLogAnew(): void {
    const { db, file, newLog } = this.#place
    try {
      db.pragma('journal_mode = DELETE')
    } finally {
      db.pragma('journal_mode = WAL')
    }
    db.prepare('SELECT count(*) FROM meta').get() // the first read creates the files
    newLog()
    const index = openSync(`${file}-shm`, 'r') // first: if no more files can be opened, all of this is done once more
    this.#open = { ...filesAt(file), database: this.#open.database }
    closeSync(this.#index) // its file is no longer open elsewhere
    this.#index = index
    this.#writtenOver.wrote()
  }

  /** Whether the log has less than SQLite counts on. */
  #isShort(): boolean {
    try {
      return isShort(`${this.#place.file}-wal`, this.#index)
    } catch {
      return false // the disk does not say
    }
  }

  #isLogOf(index: LogIndex): boolean {
    try {
      return isLogOf(index, `${this.#place.file}-wal`)
    } catch {
      return true // it cannot be opened now, perhaps because descriptors ran out: nothing is known to be wrong
    }
  }

  #isEmptied(): boolean {
    const index = readIndex(this.#index)
    if (index === null || (!this.#isShort() && this.#isLogOf(index))) return false
    return readIndex(this.#index)?.salts === index.salts // else it was folded in order meanwhile, and begun anew
  }

  /** Also if the whole folder is gone: the next start finds the copy there, and does not begin as if it were new. */
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
    const { file, clock } = this.#place
    if (this.#gone === 'written over') return this.#overText()
    if (this.#gone === 'emptied') {
      const saved = this.#copy === null ? 'and what was in it could not be copied' : 'and all of it could be copied'
      return `${file}-wal was emptied while the server runs: it held the newest changes, ${saved}. Nothing more is written. Stop the server. ${wayBack(file, clock.now())}`
    }
    const what = database === null ? `${file} was moved or removed` : `another file is in the place of ${file}`
    const kept =
      this.#copy === null
        ? 'What it has could not be copied yet: do not stop the server'
        : `Everything that it had is saved in ${this.#copy}`
    return `${what} while the server runs. ${kept}. Put the file back, and changes continue; or stop the server and run: beadloom restore --data ${shellWord(dirname(file))}`
  }

  #overText(): string {
    const { file, clock } = this.#place
    const aside = this.#isAside
      ? `That program's file is ${basename(file)}.written-over now`
      : `Move that program's file away: the server could not`
    return `another program wrote over ${file} while the server runs, and the database is lost. Nothing more is written. ${aside}. Stop the server. ${wayBack(file, clock.now())}`
  }
}

function filesAt(file: string): Files {
  return { database: identity(file), '-wal': identity(`${file}-wal`), '-shm': identity(`${file}-shm`) }
}

/** Throws if the disk does not say which file it is. */
function identity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && leadsNowhere.has(error.code)) return null
    throw error
  }
}
