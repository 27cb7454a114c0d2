import type { Database } from 'better-sqlite3'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { EventRow, Store } from '../../ports/store.ts'
import type { NewEvent, News, Writing } from '../database/writer.ts'

type Row = Omit<EventRow, 'data'> & { data: string }

/** Writes one event in the open transaction and returns its number. */
export function eventWriter(db: Database, news: News): (row: NewEvent) => number {
  const last = db.prepare<[string], { seq: number | null }>('SELECT max(seq) AS seq FROM event WHERE execution = ?')
  const insert = db.prepare<[string, number, string | null, number, string, number | null, string]>(
    'INSERT INTO event (execution, seq, session, at, type, line, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  return ({ execution, session, at, type, line, data }) => {
    const seq = (last.get(execution)?.seq ?? 0) + 1
    insert.run(execution, seq, session, at, type, line, JSON.stringify(data ?? null))
    news.noteEvent(execution, seq)
    return seq
  }
}

export function eventStore({ db, clock, write, event }: Writing): Pick<Store, 'addEvent' | 'events' | 'lastEvent'> {
  const select = db.prepare<[string, number, number], Row>(
    'SELECT * FROM event WHERE execution = ? AND seq > ? ORDER BY seq LIMIT ?',
  )
  const selectLast = db.prepare<[string, string], Row>(
    'SELECT * FROM event WHERE execution = ? AND type = ? ORDER BY seq DESC LIMIT 1',
  )
  const toEvent = (row: Row): EventRow => ({ ...row, data: JSON.parse(row.data) as unknown })

  return {
    addEvent: (execution, session, type, data, line = null) =>
      write(() => event({ execution, session, type, data, line, at: clock.now() })),
    events: (execution: ExecutionId, after, limit) => select.all(execution, after, limit).map(toEvent),
    lastEvent: (execution, type) => {
      const row = selectLast.get(execution, type)
      return row ? toEvent(row) : null
    },
  }
}
