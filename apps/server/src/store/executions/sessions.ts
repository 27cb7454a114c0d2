import { sessionIdOf, type ExecutionId, type ProjectId, type SessionId } from '@beadloom/core/records/ids.ts'
import { sessionCauses, transitionSession } from '@beadloom/core/records/session.ts'
import type { Session, SessionEvent } from '@beadloom/core/records/session.ts'
import type { SessionStore } from '../../ports/store/sessions.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { isKnown, oddText } from '../odd-rows.ts'
import { toTokenUse, type TokenColumns } from './token-use.ts'
import type { Writing } from '../database/writer.ts'

type Row = TokenColumns & {
  id: SessionId
  execution: ExecutionId
  number: number
  kind: Session['kind']
  service: string | null
  attempt: number
  state: Session['state']
  outcome: Session['outcome']
  exit_code: number | null
  detail: string
  cause: string | null
  container: string | null
  model: string | null
  context_tokens: number | null
  context_window: number | null
  context_peak: number | null
  compactions: number
  record_n: number | null
  record_bytes: number
  record_lines: number
  record_complete: number
  record_stdout: number
  record_stderr: number
  record_tail: number
  answered_at: number | null
  started_at: number
  ended_at: number | null
  took_ms: number | null
}

export function sessionStore(writing: Writing): SessionStore {
  const rows = rowsOf(writing)
  return { ...sessionReads(rows), ...sessionMoves(writing, rows), ...recording(writing, rows) }
}

type Rows = ReturnType<typeof rowsOf>

function rowsOf({ db, changed }: Writing) {
  const select = db.prepare<[string], Row>('SELECT * FROM session WHERE id = ?')
  const selectAll = db.prepare<[string], Row>('SELECT * FROM session WHERE execution = ? ORDER BY number')
  const projectOf = db.prepare<[string], { project: ProjectId }>('SELECT project FROM execution WHERE id = ?')
  return {
    row: (id: SessionId) => select.get(id),
    all: (execution: ExecutionId) => selectAll.all(execution),
    need: (id: SessionId): Row => {
      const row = select.get(id)
      if (!row) throw new StoreError('missing', `there is no session ${id}`)
      return row
    },
    projectOf: (execution: ExecutionId) => projectOf.get(execution)?.project,
    touch: (execution: ExecutionId) => {
      const project = projectOf.get(execution)?.project
      if (project) changed('execution', project, execution)
    },
  }
}

const sessionReads = ({ row, all }: Rows): Pick<SessionStore, 'session' | 'sessions' | 'checkpoint'> => ({
  session: (id) => {
    const known = row(id)
    return known ? toSession(known) : null
  },

  sessions: (execution) => all(execution).map(toSession),

  checkpoint: (id) => {
    const known = row(id)
    if (!known || known.record_n === null) return null
    return {
      n: known.record_n,
      logBytes: known.record_bytes,
      logLines: known.record_lines,
      complete: known.record_complete === 1,
      stdout: known.record_stdout,
      stderr: known.record_stderr,
      tail: known.record_tail,
    }
  },
})

type Moves = 'startSession' | 'sessionRunning' | 'endSession'

/** The moves of a session: core says which are allowed. */
function sessionMoves(writing: Writing, { need, projectOf, touch }: Rows): Pick<SessionStore, Moves> {
  const { db, clock, stopwatches, write, event } = writing
  const insert = db.prepare(
    `INSERT INTO session (id, execution, number, kind, service, attempt, model, agent, state, started_at)
     VALUES (@id, @execution, @number, @kind, @service, @attempt, @model, @agent, 'starting', @at)`,
  )
  const next = db.prepare<[string], { number: number }>(
    'SELECT coalesce(max(number), 0) + 1 AS number FROM session WHERE execution = ?',
  )
  const insertRole = db.prepare<[string, string, string]>(
    'INSERT INTO phase_session (session, role, subtask) VALUES (?, ?, ?)',
  )
  const run = db.prepare<[string, string]>(
    `UPDATE session SET state = 'running', container = ? WHERE id = ? AND state = 'starting'`,
  )
  const end = db.prepare(
    `UPDATE session SET state = 'ended', outcome = @outcome, exit_code = @exitCode, detail = @detail, cause = @cause,
       ended_at = @at, took_ms = @took
     WHERE id = @id AND state <> 'ended'`,
  )

  const returnMessages = db.prepare<[string]>(
    `UPDATE message SET state = 'waiting', session = NULL, through = NULL, place = NULL, delivered_at = NULL
     WHERE session = ? AND through = 'prompt'`,
  )

  const tell = (row: Row, from: Session['state'] | null) => {
    const { id, execution, number, kind, attempt, state, outcome, exit_code: exitCode, detail } = row
    const data = { from, to: state, number, kind, attempt, outcome, exitCode, detail }
    event({ execution, session: id, type: 'session', data, line: null, at: clock.now() })
    touch(execution)
  }

  const allow = (row: Row, what: SessionEvent) => {
    const next = transitionSession(row.state, what)
    if (typeof next !== 'string') throw new StoreError('refused', `session ${row.id}: ${next.refused}`)
  }

  return {
    startSession: (session) =>
      write(() => {
        if (!projectOf(session.execution)) throw new StoreError('missing', `there is no execution ${session.execution}`)
        const { phase, ...row } = session
        const number = session.number ?? next.get(session.execution)?.number ?? 1
        const id = session.id ?? sessionIdOf(session.execution, number)
        insert.run({ model: null, agent: null, service: null, ...row, id, number, at: clock.now() })
        if (phase) insertRole.run(id, phase.role, phase.subtask)
        stopwatches.start(id)
        tell(need(id), null)
        return toSession(need(id))
      }),

    sessionRunning: (id, container) =>
      write(() => {
        const row = need(id)
        if (row.state === 'running' && row.container === container) return // adopted after a restart
        allow(row, { type: 'container-started' })
        run.run(container, id)
        tell(need(id), row.state)
      }),

    // The first end is kept: a second call changes nothing and returns the stored one.
    endSession: (id, outcome, exitCode, detail, cause = null) =>
      write(() => {
        const row = need(id)
        if (toSession(row).state === 'ended') return toSession(row)
        allow(row, { type: 'ended', outcome })
        end.run({ id, outcome, exitCode, detail, cause, at: clock.now(), took: stopwatches.end(id) })
        // It never began: nobody has read its prompt, which the next session has instead.
        if (outcome === 'infra_error' && row.container === null) returnMessages.run(id)
        tell(need(id), row.state)
        return toSession(need(id))
      }),
  }
}

function recording({ db, write, event }: Writing, { need, touch }: Rows): Pick<SessionStore, 'commitRecord'> {
  const advance = db.prepare(
    `UPDATE session SET record_n = @n, record_bytes = @logBytes, record_lines = @logLines, record_complete = @complete,
       record_stdout = @stdout, record_stderr = @stderr, record_tail = @tail
     WHERE id = @id`,
  )
  return {
    // Called twenty times a second while output flows, so it touches `changes` only for an event that is shown: readers
    // of the log follow the log itself. A position alone need not wait for the disk, as the log does not either: after
    // a power cut the log is cut to the shorter of the two.
    commitRecord: (id, checkpoint, events) => {
      const told = events.length > 0 || checkpoint.complete
      write(() => {
        const row = need(id)
        advance.run({ ...checkpoint, id, complete: checkpoint.complete ? 1 : 0 })
        for (const { type, at, line, data } of events)
          event({ execution: row.execution, session: id, type, data, line, at })
        if (told) touch(row.execution)
      }, told)
    },
  }
}

/** A session with unknown words is shown as over, and as not an agent's: nothing is decided from it. */
function toSession(row: Row): Session {
  const session = sessionOf(row)
  const { state, kind, outcome } = row
  const odd = !isKnown('session.state', state)
    ? oddText('session.state', state)
    : !isKnown('session.kind', kind)
      ? oddText('session.kind', kind)
      : outcome !== null && !isKnown('session.outcome', outcome)
        ? oddText('session.outcome', outcome)
        : null
  if (odd === null) return session
  return {
    ...session,
    kind: isKnown('session.kind', kind) ? kind : 'setup',
    state: 'ended',
    outcome: 'infra_error',
    detail: odd,
    endedAt: row.ended_at ?? row.started_at,
  }
}

/** An unknown word counts as none: it is only for policy. */
const causeOf = ({ cause }: Row) => sessionCauses.find((one) => one === cause)

function contextOf(row: Row): Pick<Session, 'context'> {
  const { context_tokens: tokens, context_window: window, context_peak: peak, compactions } = row
  if (tokens === null || window === null) return {}
  return { context: { tokens, window, peak: peak ?? tokens, compactions } }
}

const sessionOf = (row: Row): Session => ({
  id: row.id,
  execution: row.execution,
  number: row.number,
  kind: row.kind,
  ...(row.service !== null && { service: row.service }),
  attempt: row.attempt,
  state: row.state,
  outcome: row.outcome,
  exitCode: row.exit_code,
  detail: row.detail,
  ...(causeOf(row) && { cause: causeOf(row)! }),
  container: row.container,
  model: row.model,
  tokens: toTokenUse(row),
  ...contextOf(row),
  logLines: row.record_lines,
  logBytes: row.record_bytes,
  ...(row.answered_at !== null && { answeredAt: row.answered_at }),
  startedAt: row.started_at,
  endedAt: row.ended_at,
  ...(row.took_ms !== null && { tookMs: row.took_ms }),
})
