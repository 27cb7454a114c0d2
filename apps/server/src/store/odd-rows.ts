import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { beadStatuses } from '@beadloom/core/records/bead.ts'
import { executionKinds, executionStates } from '@beadloom/core/records/execution.ts'
import { sessionKinds, sessionOutcomes, sessionStates } from '@beadloom/core/records/session.ts'
import { pullRequestStates } from '@beadloom/core/review/pull-request.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { OddRow } from '../ports/store.ts'

/** More rows would not help anybody who reads them. */
const MOST_ROWS = 20
const MOST_CHARS = 60

/** The words that this version knows, by column. A database may hold others: a newer version wrote them, or a disk erred. */
const known = {
  'execution.state': executionStates,
  'execution.kind': executionKinds,
  'session.state': sessionStates,
  'session.kind': sessionKinds,
  'session.outcome': sessionOutcomes,
  'bead.status': beadStatuses,
  'pull_request.state': pullRequestStates,
  'container.state': ['warm', 'held', 'kept', 'removing'],
  'tracker_change.kind': ['create', 'status', 'describe', 'comment'],
} as const satisfies Record<string, readonly string[]>

type Column = keyof typeof known

/** The name of a row, if that is not its `id`. */
const nameOf: Record<string, string> = { container: 'name', tracker_change: 'CAST(seq AS TEXT)' }

export const isKnown = (column: Column, value: string): boolean => (known[column] as readonly string[]).includes(value)

/** The sentence for the thing that such a row belongs to. */
export const oddText = (column: Column, value: string): string => {
  const [table = '', name = ''] = column.split('.')
  return `The database has an unknown ${name} for this ${table.replace('_', ' ')}: ${shown(value)}. A newer Beadloom may have written it, or the file is damaged; "beadloom doctor" lists such rows.`
}

/** A value in the database may be anything. */
const shown = (value: unknown): string => JSON.stringify(oneLine(String(value)).slice(0, MOST_CHARS))

/** Finds the rows whose words are not known. */
export function oddRowsIn(db: Database.Database): () => OddRow[] {
  const queries = Object.entries(known).map(([column, words]) => {
    const [table = '', name = ''] = column.split('.')
    const list = words.map((word) => `'${word}'`).join(', ')
    const select = db.prepare<[], { id: string; value: string }>(
      `SELECT ${nameOf[table] ?? 'id'} AS id, ${name} AS value FROM ${table} WHERE ${name} NOT IN (${list}) LIMIT ${MOST_ROWS}`,
    )
    return { table, column: name, select }
  })
  return () =>
    queries
      .flatMap(({ table, column, select }) =>
        select.all().map(({ id, value }) => ({ table, id, column, value: shown(value) })),
      )
      .slice(0, MOST_ROWS)
}

/** The odd rows of a database that is not open here; null: there is none yet. Throws SQLite's errors. */
export function readOddRows(file: string): OddRow[] | null {
  if (!existsSync(file)) return null
  const db = new Database(file, { readonly: true })
  try {
    return Number(db.pragma('user_version', { simple: true })) === 0 ? null : oddRowsIn(db)()
  } finally {
    db.close()
  }
}
