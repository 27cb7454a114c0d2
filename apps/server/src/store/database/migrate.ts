import { shellWord } from '@beadloom/core/text/shell-word.ts'
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { StoreError } from '../../ports/store/errors.ts'
import { copyInto } from './copy-into.ts'

/** `version` is the `user_version` the database has afterwards; versions grow, and some may be missing. */
export type Migration = { version: number; sql: string }

/** "BEAD": marks the file as ours. */
const APPLICATION_ID = 0x42454144

/**
 * Brings the schema to the last of `migrations`, each step in its own transaction, forward only. A database that is
 * not empty is copied to `{file}.v{version}.backup` first.
 *
 * Throws `StoreError`: `newer` or `foreign`. When a step fails, the version before it is kept.
 */
export function migrate(db: Database, file: string, migrations: readonly Migration[]): void {
  const version = Number(db.pragma('user_version', { simple: true }))
  checkOurs(db, file, version)
  const newest = migrations.at(-1)?.version ?? 0
  if (version > newest)
    throw new StoreError(
      'newer',
      `${file} was written by a newer Beadloom (schema ${version}, this one knows ${newest}): update Beadloom, or use another data folder${olderBeside(file, newest)}`,
    )
  const missing = migrations.filter((migration) => migration.version > version)
  if (version > 0 && missing.length > 0) copyInto(db, `${file}.v${version}.backup`)
  for (const { version: next, sql } of missing) {
    db.transaction(() => {
      db.exec(sql)
      db.pragma(`user_version = ${next}`)
      db.pragma(`application_id = ${APPLICATION_ID}`)
    }).immediate()
  }
}

/** Each update copies the database first. The newest copy that this version can read is the way back. */
function olderBeside(file: string, newest: number): string {
  const copies = readdirSync(dirname(file)).flatMap((name) => {
    const [, of = '', version = ''] = /^(.*)\.v(\d+)\.backup$/.exec(name) ?? []
    return of === basename(file) && Number(version) <= newest ? [{ name, version: Number(version) }] : []
  })
  const copy = copies.toSorted((a, b) => b.version - a.version)[0]
  if (!copy) return ''
  const [path, data] = [join(dirname(file), copy.name), dirname(file)]
  return `. The update made a copy of the database as it was before: ${path}. To go back to it, without all that has happened since: beadloom restore ${shellWord(path)} --data ${shellWord(data)}`
}

function checkOurs(db: Database, file: string, version: number): void {
  const id = Number(db.pragma('application_id', { simple: true }))
  const tables = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0
  const empty = id === 0 && version === 0 && tables === 0
  if (id !== APPLICATION_ID && !empty)
    throw new StoreError('foreign', `${file} belongs to another program: move it away, or use another data folder`)
}
