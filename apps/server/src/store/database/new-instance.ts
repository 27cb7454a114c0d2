import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { lockOut } from './connection.ts'

/**
 * Makes the database of a copied folder another server's: the next start chooses a new instance. The containers stay
 * the original's, which continues its executions; here those are cancelled, so that nothing is done twice.
 *
 * Throws `StoreError` `in-use`, or SQLite's errors.
 */
export function makeNewInstance(file: string, now: number): void {
  const lock = lockOut(`${file}.lock`, dirname(file))
  try {
    const db = new Database(file, { fileMustExist: true })
    try {
      db.transaction(() => {
        db.exec(`DELETE FROM meta WHERE key IN ('instance', 'epoch'); DELETE FROM container`)
        db.prepare(
          `UPDATE execution SET cancel_requested_at = ? WHERE state IN ('QUEUED', 'RUNNING') AND cancel_requested_at IS NULL`,
        ).run(now)
      }).immediate()
    } finally {
      db.close()
    }
  } finally {
    lock.close()
  }
}
