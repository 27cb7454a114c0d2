import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { StoreError } from '../../ports/store/errors.ts'
import { translate } from './connection.ts'
import { fileToDisk } from './copy-into.ts'

/** The contents of a copy, read from the copy itself. */
export type BackUp = {
  file: string
  bytes: number
  schema: number
  projects: number
  beads: number
  executions: number
}

/**
 * Copies the state of the database `file` at one moment to `target`, even while a server writes: one read transaction
 * sees one state and blocks no writer. The copy is opened and checked before it gets its final name, so every backup is
 * whole. Existing files are never overwritten.
 *
 * Throws `StoreError`: `corrupt`, `not-writable` or `no-space`; `EEXIST` when `target` exists.
 */
export function backUpDatabase(file: string, target: string): BackUp {
  if (existsSync(target)) throw Object.assign(new Error(`${target} already exists`), { code: 'EEXIST', path: target })
  const half = `${target}.part`
  try {
    rmSync(half, { force: true })
    copy(file, half)
    chmodSync(half, 0o600) // it has prompts and sources of the user's projects
    const found = check(half)
    fileToDisk(half)
    renameSync(half, target)
    return { file: target, bytes: statSync(target).size, ...found }
  } catch (error) {
    rmSync(half, { force: true })
    throw translate(error, error instanceof Damaged ? file : target)
  }
}

class Damaged extends Error {
  readonly code = 'SQLITE_CORRUPT'
}

function copy(file: string, half: string): void {
  // Read-only: the last writer to close a database folds its log into it, and that is the server's job.
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    db.prepare('VACUUM INTO ?').run(half)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw /^SQLITE_(CORRUPT|NOTADB)/.test(code) ? new Damaged(String(error)) : error
  } finally {
    db.close()
  }
}

function check(half: string): Omit<BackUp, 'file' | 'bytes'> {
  const db = new Database(half, { readonly: true, fileMustExist: true })
  try {
    const verdict = db.pragma('integrity_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Damaged(String(verdict))
    const count = (name: string): number =>
      db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${name}`).get()?.n ?? 0
    const schema = Number(db.pragma('user_version', { simple: true }))
    if (schema === 0) throw new StoreError('foreign', 'this data folder has no Beadloom database yet')
    return { schema, projects: count('project'), beads: count('bead'), executions: count('execution') }
  } finally {
    db.close()
  }
}
