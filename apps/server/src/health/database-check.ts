import { join } from 'node:path'
import type { Check, ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { dateTime } from '@beadloom/core/text/clock-time.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { systemClock } from '../process/clock.ts'
import type { OddRow } from '../ports/store.ts'
import { StoreError } from '../ports/store/errors.ts'
import { findServer } from './server-file.ts'

const name = 'database'
const SHOWN = 5

type Told = Pick<ServerStatus, 'database' | 'databaseNote'>
const nothing: Told = { database: null, databaseNote: null }

/** The state of the database: whether it exists, can be written, and contains only words that this version knows. */
export async function checkDatabase(data: string): Promise<Check> {
  const file = join(data, 'beadloom.db')
  const { refuseLost, refuseOther } = await import('../store/database/lost.ts')
  const { readOddRows } = await import('../store/odd-rows.ts')
  try {
    const told = await toldBy(data)
    if (told.database) return databaseCheck([], told)
    refuseOther(file)
    refuseLost(file, systemClock.now())
    const rows = readOddRows(file)
    if (rows === null) return { name, ok: true, text: 'none yet' }
    return databaseCheck(rows, told)
  } catch (error) {
    const text = messageOf(error)
    const fix = 'beadloom restore puts the newest backup in its place'
    return { name, ok: false, text, ...(!(error instanceof StoreError) && { fix }) }
  }
}

/** The same check, made by a server of its own database. */
export function databaseCheck(rows: readonly OddRow[], { database: trouble, databaseNote: note }: Told): Check {
  if (trouble) {
    const text = `${trouble.text}, since ${dateTime(trouble.since)}: changes wait, and nothing is lost`
    return { name, ok: false, text, fix: fixes[trouble.kind] }
  }
  if (rows.length === 0) {
    const more = note ? `. Note of ${dateTime(note.at)}: ${note.text}` : ''
    return { name, ok: true, text: `can be written${more}` }
  }
  const named = rows.slice(0, SHOWN).map(({ table, id, column, value }) => `${table} ${id} has ${column} ${value}`)
  const more = rows.length > SHOWN ? ` and ${rows.length - SHOWN} more` : ''
  return {
    name,
    ok: false,
    text: `rows that this version does not know: ${named.join('; ')}${more}`,
    fix: 'a newer Beadloom wrote them, or the file is damaged: update Beadloom, run those beads again, or go back to a backup (beadloom restore)',
  }
}

const fixes: Record<NonNullable<ServerStatus['database']>['kind'], string> = {
  busy: 'find the program that has beadloom.db open (lsof or fuser names it) and let it finish, or stop it',
  'no-space': 'free some space: work continues by itself',
  gone: 'put beadloom.db back, or stop the server and go back to the saved copy (beadloom restore)',
  disk: 'look at the disk (dmesg, smartctl); with a new one, go back to a backup (beadloom restore)',
}

/** Only a running server knows how long it has waited, and which of its files it has mended. */
async function toldBy(data: string): Promise<Told> {
  try {
    const { url, token } = await findServer(data)
    const response = await fetch(new URL('/api/status', url), {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
    })
    return response.ok ? ((await response.json()) as Told) : nothing
  } catch {
    return nothing // no server runs; another check says so
  }
}
