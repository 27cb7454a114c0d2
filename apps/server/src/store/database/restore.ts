import { existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StoreError } from '../../ports/store/errors.ts'
import { backUpDatabase, type BackUp } from './back-up.ts'
import { lockOut } from './connection.ts'
import { copiesOf } from './lost.ts'

/** `aside`: the new place of the former files; null: there were none. */
export type Restored = BackUp & { from: string; aside: string | null }

/**
 * Puts a copy of the database in its place, with no server running. The copy is checked first and stays where it is;
 * the former database is moved into a folder beside it, with its write-ahead log, which fits no other database.
 *
 * @param from null: the newest copy in the data folder
 * @param stamp names the folder
 *
 * Throws `StoreError`: `in-use`, `lost` (there is no copy), or the errors of reading the copy.
 */
export function restoreDatabase(file: string, from: string | null, stamp: string): Restored {
  const folder = dirname(file)
  const source = from ?? copiesOf(file)[0]?.file
  if (source === undefined)
    throw new StoreError('lost', `there is no backup in ${join(folder, 'backups')}: name a file`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockOut(`${file}.lock`, folder)
  try {
    const ready = `${file}.restored`
    rmSync(ready, { force: true })
    const made = backUpDatabase(source, ready)
    const aside = moveAside(file, join(folder, `before-restore-${stamp}`))
    renameSync(ready, file)
    return { ...made, file, from: source, aside }
  } finally {
    lock.close()
  }
}

function moveAside(file: string, target: string): string | null {
  const there = ['', '-wal', '-shm']
    .map((end) => `${file}${end}`)
    .filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  if (there.length === 0) return null
  if (existsSync(target)) throw new StoreError('refused', `${target} exists already: move it away`)
  mkdirSync(target, { mode: 0o700 })
  for (const path of there) renameSync(path, join(target, basename(path)))
  return target
}
