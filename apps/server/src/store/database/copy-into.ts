import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import type { Database } from 'better-sqlite3'

/**
 * Copies an open database to `target`, replacing an existing file. A file with that name is always whole, on the disk
 * and readable by its owner alone: others may read the folder of copies.
 */
export function copyInto(db: Database, target: string): void {
  const half = `${target}.part`
  try {
    rmSync(half, { force: true })
    closeSync(openSync(half, 'wx', 0o600))
    db.prepare('VACUUM INTO ?').run(half)
    fileToDisk(half)
    renameSync(half, target)
  } catch (error) {
    rmSync(half, { force: true })
    throw error
  }
}

export function fileToDisk(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
