import type { Database } from 'better-sqlite3'
import type { ExecutionId } from '@beadloom/core/ids.ts'
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
