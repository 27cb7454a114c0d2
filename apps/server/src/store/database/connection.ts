import { messageOf } from '@beadloom/core/text/message-of.ts'
import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { StoreError } from '../../ports/store/errors.ts'
import { systemClock, type Clock } from '../../process/clock.ts'
import { hasNoInodes, noRoom } from '../../process/disk-full.ts'
import { outOf } from '../../process/start-process.ts'
import { refuseLost, refuseOther, wayBack } from './lost.ts'

/** At the start nobody else is served yet. No other server holds our lock, but a backup tool may for a moment. */
const OPENING_TIMEOUT_MS = 5000
/** Later the whole server is blocked for this time; longer waits are the writers' own (`patience.ts`). */
const BUSY_TIMEOUT_MS = 10

/** An open database, locked against other servers until it is closed. */
export type Connection = { db: Database.Database; close: () => void }

/**
 * Opens `file` (making it and its folder where missing, readable by nobody else) and keeps every other server out.
 *
 * Throws `StoreError`: `not-writable`, `in-use`, `corrupt`, `lost`, `foreign`, `busy`, `disk` or `no-space`.
 */
export function connect(file: string, clock: Clock = systemClock): Connection {
  const folder = dirname(file)
  makeWritable(file)
  refuseOther(file)
  const lock = lockOut(`${file}.lock`, folder)
  try {
    refuseLost(file, clock.now())
    const db = openDatabase(file)
    const close = () => {
      db.close()
      lock.close()
    }
    return { db, close }
  } catch (error) {
    lock.close()
    const known = translate(error, file)
    throw known instanceof StoreError && known.kind === 'corrupt'
      ? new StoreError('corrupt', `${known.message}. ${wayBack(file, clock.now())}`, { cause: error })
      : known
  }
}

function makeWritable(file: string): void {
  const folder = dirname(file)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const known = translate(error, file)
    throw known instanceof StoreError ? known : notWritable(folder, error)
  }
}

/**
 * Holds an exclusive transaction on a separate database, for as long as we live. The operating system drops the lock
 * with the process, so a kill leaves no stale lock behind; a file with a process id cannot promise that.
 */
export function lockOut(file: string, folder: string): Database.Database {
  let lock: Database.Database | null = null
  try {
    lock = new Database(file, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (codeOf(error).startsWith('SQLITE_BUSY'))
      throw new StoreError(
        'in-use',
        `another Beadloom server uses ${folder}: stop it (Ctrl+C where it runs), or start this one with another data folder`,
        { cause: error },
      )
    const known = translate(error, file)
    throw known instanceof StoreError && known.kind === 'corrupt'
      ? new StoreError('corrupt', `${file} is damaged. It holds nothing: remove it`, { cause: error })
      : known
  }
}

function openDatabase(file: string): Database.Database {
  const db = new Database(file, { timeout: OPENING_TIMEOUT_MS })
  try {
    chmodSync(file, 0o600) // also decides the mode of the WAL; it has prompts and sources of the user's projects
    setPragmas(db)
    const verdict = db.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw corrupt(file, verdict)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function setPragmas(db: Database.Database): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal') throw new Error(`SQLite gives journal_mode ${String(mode)} instead of wal`)
  db.pragma('synchronous = FULL') // until the schema is up to date
  db.pragma('foreign_keys = ON')
  db.pragma('wal_autocheckpoint = 0') // `checkpoints.ts` makes them
  db.pragma('journal_size_limit = 67108864')
  db.pragma('cell_size_check = ON')
  db.pragma('trusted_schema = OFF')
  db.pragma('secure_delete = FAST')
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -2000') // the system keeps the file in memory, too: this is a second copy
  db.pragma('mmap_size = 0') // a truncated file gives an error instead of SIGBUS
}

/** From now on the server serves others: this thread waits for no lock and no disk. */
export function stopWaiting(db: Database.Database): void {
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  db.pragma('synchronous = NORMAL')
}

/** SQLite's errors as ours; an unknown error is a bug and is returned unchanged. */
export function translate(error: unknown, file: string): unknown {
  const code = codeOf(error)
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return corrupt(file, error)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return new StoreError('busy', `another program holds the lock of the database ${file}`, { cause: error })
  if (/^E[MN]FILE/.test(code) || (code.startsWith('SQLITE_CANTOPEN') && mayOpenNoMore()))
    return new StoreError(
      'busy',
      `a file of the database ${file} could not be opened: ${outOf(code) ?? outOf('EMFILE')}`,
      {
        cause: error,
      },
    )
  if (/^SQLITE_IOERR|^EIO/.test(code))
    return new StoreError('disk', `the disk that holds ${dirname(file)} answers with errors (${code})`, {
      cause: error,
    })
  // For every file that it cannot create, SQLite says that it cannot open it.
  const isWithoutInodes = code.startsWith('SQLITE_CANTOPEN') && hasNoInodes(dirname(file))
  if (/^SQLITE_FULL|^ENOSPC|^EDQUOT/.test(code) || isWithoutInodes)
    return new StoreError('no-space', `${noRoom(dirname(file))}. Nothing was lost`, { cause: error })
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)|^E(ACCES|PERM|ROFS)/.test(code)) return notWritable(dirname(file), error)
  return error
}

/** Whether no more files can be opened: SQLite only says that it cannot open a file. */
function mayOpenNoMore(): boolean {
  try {
    closeSync(openSync('/dev/null', 'r'))
    return false
  } catch (error) {
    return /^E[MN]FILE/.test(codeOf(error))
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function notWritable(folder: string, cause: unknown): StoreError {
  const why = messageOf(cause)
  return new StoreError(
    'not-writable',
    `cannot write to the data folder ${folder} (${why}): give this user write access, or use another data folder`,
    { cause },
  )
}

function corrupt(file: string, cause: unknown): StoreError {
  const why = messageOf(cause)
  return new StoreError('corrupt', `${file} is damaged (${why}): keep it, and go back to a backup`, { cause })
}
