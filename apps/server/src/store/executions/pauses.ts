import type { Refused } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Pause } from '@beadloom/core/records/pause.ts'
import type { PauseStore } from '../../ports/store/pauses.ts'
import { toExecution, type ExecutionRow } from './execution-rows.ts'
import { runningRow } from './running-row.ts'
import type { Writing } from '../database/writer.ts'

const storedIn = ({ pause }: ExecutionRow): Pause | null => (pause === null ? null : (JSON.parse(pause) as Pause))

/** Pauses of running executions: by a person, or for a person's answer. */
export function pauseStore({ db, clock, write, changed, event }: Writing): PauseStore {
  const select = db.prepare<[string], ExecutionRow>('SELECT * FROM execution WHERE id = ?')
  const note = db.prepare<[string | null, string]>('UPDATE execution SET pause = ? WHERE id = ? AND ended_at IS NULL')

  const asked = db.prepare<[string], { session: SessionId; after: number | null }>(
    "SELECT session, json_extract(data, '$.after') AS after FROM event WHERE execution = ? AND type = 'asked'",
  )
  const waiting = db.prepare<[string], { addressee: SessionId | null }>(
    "SELECT addressee FROM message WHERE execution = ? AND state = 'waiting'",
  )
  const more = db.prepare<[number, string]>('UPDATE execution SET max_sessions = max_sessions + ? WHERE id = ?')
  const newestMessage = db.prepare<[string], { id: number }>(
    'SELECT coalesce(max(id), 0) AS id FROM message WHERE execution = ?',
  )

  const set = ({ id, project, bead }: ExecutionRow, pause: Pause | null): Execution => {
    note.run(pause && JSON.stringify(pause), id)
    changed('execution', project, id)
    changed('bead', project, bead)
    changed('status', '', 'server') // slots
    return toExecution(select.get(id)!)
  }

  const about = (execution: ExecutionId) => ({ execution, session: null, line: null, at: clock.now() })

  const running = (id: ExecutionId): ExecutionRow | Refused => runningRow(select, id)

  const changedTo = (id: ExecutionId, next: (pause: Pause) => Pause | null): void => {
    const row = select.get(id)
    const pause = row && storedIn(row)
    if (row && pause) set(row, next(pause))
  }

  return {
    pauseExecution: (id, { ms, ...wish }) =>
      write(() => {
        const row = running(id)
        if ('refused' in row) return row
        const now = clock.now()
        const known = storedIn(row)
        if (known?.question !== undefined && !known.resumed)
          return { refused: `the execution ${id} waits for an answer: tell its agent, or cancel it` }
        const { since, held, resumed } = known ?? { since: now, held: false }
        const until = now + ms
        event({ ...about(id), type: 'paused', data: { ...wish, until } })
        return set(row, { ...wish, since: resumed ? now : since, until, held })
      }),

    askPerson: (id, by, { question, ms, reads }) =>
      write(() => {
        const sessions = by.map(({ session }) => session)
        const row = running(id)
        const before = new Set(asked.all(id).map(({ session }) => session))
        if ('refused' in row || sessions.some((one) => before.has(one))) return 'over'
        const known = storedIn(row)
        const isHeard =
          reads && waiting.all(id).some(({ addressee }) => addressee === null || sessions.includes(addressee))
        if (isHeard || (known && !known.resumed)) return 'later'
        const now = clock.now()
        const times = { until: now + ms, after: newestMessage.get(id)!.id }
        for (const { session, question } of by)
          event({ ...about(id), session, type: 'asked', data: { question, ...times } })
        more.run(sessions.length, id)
        // Its turn is over, so nothing has to end before it waits.
        set(row, { since: now, until: now + ms, atEnd: 'resume', by: '', held: true, question })
        return 'asked'
      }),

    // Rows of older versions say nothing of messages: nothing answers them.
    askedSessions: (id) =>
      new Map(asked.all(id).map(({ session, after }) => [session, after ?? Number.MAX_SAFE_INTEGER])),

    holdByPause: (id) => write(() => changedTo(id, (pause) => ({ ...pause, held: true }))),

    resumeExecution: (id, by) =>
      write(() => {
        const row = running(id)
        if ('refused' in row) return row
        const pause = storedIn(row)
        if (pause === null) return { refused: `the execution ${id} is not paused` }
        if (pause.resumed) return toExecution(row)
        event({ ...about(id), type: 'resumed', data: { by, after: Math.max(0, clock.now() - pause.since) } })
        return set(row, pause.held ? { ...pause, resumed: true } : null)
      }),

    endPause: (id) => write(() => changedTo(id, (pause) => (pause.resumed ? null : pause))),
  }
}
