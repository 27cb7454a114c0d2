import type { Database } from 'better-sqlite3'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { PromptLength } from '@beadloom/core/execution/signs.ts'
import type { EventRow, EventStore } from '../../ports/store/events.ts'
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

export function eventStore({ db, clock, write, event }: Writing, news: News): EventStore {
  const select = db.prepare<[string, number, number], Row>(
    'SELECT * FROM event WHERE execution = ? AND seq > ? ORDER BY seq LIMIT ?',
  )
  const highest = db.prepare<[string], { seq: number | null }>('SELECT max(seq) AS seq FROM event WHERE execution = ?')
  // Numbers have no holes, so a range of them bounds the rows that are looked at.
  const selectPart = db.prepare<
    { execution: string; after: number; to: number; session: string | null; types: string | null },
    Row
  >(
    `SELECT * FROM event WHERE execution = @execution AND seq > @after AND seq <= @to
       AND (@session IS NULL OR session = @session)
       AND (@types IS NULL OR type IN (SELECT value FROM json_each(@types))) ORDER BY seq`,
  )
  const selectNewest = db.prepare<[string, number, number, string], Row>(
    `SELECT * FROM event WHERE execution = ? AND seq > ? AND seq < ? AND type IN (SELECT value FROM json_each(?))
     ORDER BY seq DESC LIMIT 1`,
  )
  const selectLast = db.prepare<[string, string], Row>(
    'SELECT * FROM event WHERE execution = ? AND type = ? ORDER BY seq DESC LIMIT 1',
  )
  const selectOfSession = db.prepare<[string, string, string], Row>(
    'SELECT * FROM event WHERE execution = ? AND session = ? AND type = ? ORDER BY seq DESC LIMIT 1',
  )
  // The server itself writes the events `prompt`; a row without one of the numbers is left out.
  const lengths = db.prepare<[string], Record<keyof PromptLength, unknown>>(
    `SELECT data ->> 'attempt' AS attempt, data ->> 'chars' AS chars, data ->> 'taskChars' AS taskChars
     FROM event WHERE execution = ? AND type = 'prompt' ORDER BY seq LIMIT 100`,
  )
  const toEvent = (row: Row): EventRow => ({ ...row, data: JSON.parse(row.data) as unknown })

  return {
    addEvent: (execution, session, type, data, line = null) =>
      write(() => event({ execution, session, type, data, line, at: clock.now() })),
    events: (execution: ExecutionId, after, limit) => select.all(execution, after, limit).map(toEvent),
    eventPart(execution, after, { session = null, types, most, characters }) {
      const last = highest.get(execution)?.seq ?? 0
      const to = Math.min(last, after + most)
      const rows: EventRow[] = []
      let left = characters
      for (const row of selectPart.iterate({
        execution,
        after,
        to,
        session,
        types: types ? JSON.stringify(types) : null,
      })) {
        rows.push(toEvent(row))
        left -= row.data.length
        if (left <= 0) return { rows, next: row.seq < last ? row.seq : null }
      }
      return { rows, next: to < last ? to : null }
    },
    newestEvent(execution, types, { after, before }) {
      const row = selectNewest.get(execution, after, before, JSON.stringify(types))
      return row ? toEvent(row) : null
    },
    lastSeq: (execution) => highest.get(execution)?.seq ?? 0,
    lastEvent: (execution, type) => {
      const row = selectLast.get(execution, type)
      return row ? toEvent(row) : null
    },
    sessionEvent: (execution, session, type) => {
      const row = selectOfSession.get(execution, session, type)
      return row ? toEvent(row) : null
    },
    promptLengths: (execution) => lengths.all(execution).filter(isLength),
    onEvent: (listener) => news.onEvent(listener),
  }
}

const isLength = (row: Record<keyof PromptLength, unknown>): row is PromptLength =>
  [row.attempt, row.chars, row.taskChars].every((value) => typeof value === 'number')
