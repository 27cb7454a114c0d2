import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { ExecutionFlag } from '@beadloom/core/records/execution.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { ExecutionStore } from '../../ports/store/executions.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { columnsOf, oddityOf, toExecution } from './execution-rows.ts'
import type { ExecutionRow } from './execution-rows.ts'
import type { ExecutionMoves } from './transitions.ts'
import type { Writing } from '../database/writer.ts'

/** A hostile project could cause ever new flags. */
const MOST_FLAGS = 50

const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

type Reads = 'execution' | 'executions' | 'liveExecutions' | 'startedSettings' | 'answeredSessions' | 'stopReason'
type Rows = ReturnType<typeof rowsOf>

/** Everything but an execution's moves from state to state, which are in `transitions.ts`. */
export function executionStore(writing: Writing): Omit<ExecutionStore, keyof ExecutionMoves> {
  const rows = rowsOf(writing)
  return { ...executionReads(writing, rows), ...executionNotes(writing, rows), ...executionFacts(writing, rows) }
}

function rowsOf({ db }: Writing) {
  const select = db.prepare<[string], ExecutionRow>('SELECT * FROM execution WHERE id = ?')
  return {
    row: (id: ExecutionId): ExecutionRow | undefined => select.get(id),
    need: (id: ExecutionId): ExecutionRow => {
      const row = select.get(id)
      if (!row) throw new StoreError('missing', `there is no execution ${id}`)
      return row
    },
  }
}

function executionReads({ db }: Writing, { row, need }: Rows): Pick<ExecutionStore, Reads> {
  const live = db.prepare<[], ExecutionRow>('SELECT * FROM execution WHERE ended_at IS NULL ORDER BY queued_at')
  const filters = db.prepare<[Record<string, string | number | null>], ExecutionRow>(
    `SELECT * FROM execution WHERE (@project IS NULL OR project = @project) AND (@bead IS NULL OR bead = @bead)
       AND (@state IS NULL OR state = @state) AND (@before IS NULL OR queued_at < @before)
     ORDER BY queued_at DESC LIMIT @limit`,
  )
  return {
    execution: (id) => {
      const known = row(id)
      return known ? toExecution(known) : null
    },

    executions: ({ project = null, bead = null, state = null, before = null, limit }) =>
      filters.all({ project, bead, state, before, limit }).map(toExecution),

    liveExecutions: () =>
      live
        .all()
        .map(toExecution)
        .filter(({ endedAt }) => endedAt === null),

    startedSettings: (id) => {
      const settings = row(id)?.settings ?? null
      if (settings === null) return null
      const stored = JSON.parse(settings) as ProjectSettings
      // An earlier version had none of these.
      return { ...stored, services: stored.services ?? [], env: stored.env ?? {}, secrets: stored.secrets ?? [] }
    },

    answeredSessions: (id) => row(id)?.answered_sessions ?? 0,

    stopReason: (id) => {
      const text = need(id).stop_reason
      return text === null ? null : (JSON.parse(text) as unknown)
    },
  }
}

type Notes = 'requestCancel' | 'noteExecution' | 'noteElapsed' | 'noteStopPending' | 'noteStop'

/** The course of a live execution: how far it is, and that it has to stop. */
function executionNotes(writing: Writing, { need }: Rows): Pick<ExecutionStore, Notes> {
  const { db, clock, write, changed, event } = writing
  const note = db.prepare<[ExecutionRow]>(
    `UPDATE execution SET branch = @branch, base_commit = @base_commit, verified_commit = @verified_commit,
       attempt = @attempt, max_attempts = @max_attempts, max_sessions = @max_sessions, retry_attempt = @retry_attempt, retry_at = @retry_at, pending_push = @pending_push,
       notice = @notice, answered_sessions = @answered_sessions
     WHERE id = @id AND ended_at IS NULL`,
  )
  const cancel = db.prepare<[number, string]>(
    'UPDATE execution SET cancel_requested_at = ? WHERE id = ? AND ended_at IS NULL AND cancel_requested_at IS NULL',
  )
  const setElapsed = db.prepare<[number, string]>(
    'UPDATE execution SET elapsed_ms = ? WHERE id = ? AND ended_at IS NULL',
  )
  const setStop = db.prepare<[string, string]>(
    'UPDATE execution SET stop_reason = ? WHERE id = ? AND ended_at IS NULL AND stop_reason IS NULL',
  )
  const setStopPending = db.prepare<[string | null, string]>(
    'UPDATE execution SET stop_pending = ? WHERE id = ? AND ended_at IS NULL',
  )
  const tell = (id: ExecutionId, type: string, data: object | null) =>
    event({ execution: id, session: null, type, data, line: null, at: clock.now() })

  return {
    requestCancel: (id) =>
      write(() => {
        const row = need(id)
        const odd = oddityOf(row)
        if (odd !== null) return { refused: odd }
        if (isTerminal(row.state)) return { refused: `execution ${id} has already ended (${row.state})` }
        if (cancel.run(clock.now(), id).changes > 0) {
          tell(id, 'cancel_requested', null)
          changed('execution', row.project, id)
        }
        return toExecution(need(id))
      }),

    noteExecution: (id, patch) =>
      write(() => {
        const row = need(id)
        if (isTerminal(row.state))
          throw new StoreError('refused', `execution ${id} has ended (${row.state}) and no longer changes`)
        const next: ExecutionRow = {
          ...row,
          ...columnsOf(patch),
          retry_at: patch.retryAt === undefined ? row.retry_at : patch.retryAt,
          pending_push: patch.pendingPush === undefined ? row.pending_push : jsonOrNull(patch.pendingPush),
          answered_sessions: patch.answeredSessions ?? row.answered_sessions,
        }
        if (JSON.stringify(next) === JSON.stringify(row)) return
        note.run(next)
        const { attempt, max_attempts: maxAttempts } = next
        if (attempt !== row.attempt) tell(id, 'attempt', { attempt, maxAttempts })
        changed('execution', row.project, id)
      }),

    noteElapsed: (id, elapsedMs) => write(() => void setElapsed.run(Math.round(elapsedMs), id)),

    noteStopPending: (id, pending) =>
      write(() => {
        setStopPending.run(jsonOrNull(pending), id)
        changed('execution', need(id).project, id)
      }),

    noteStop: (id, reason) => write(() => void setStop.run(JSON.stringify(reason), id)),
  }
}

type Facts = 'flagExecution' | 'noteDiffSize' | 'noteRedGreen'

/** Facts about its work, which may also be noted after its end. */
function executionFacts(writing: Writing, { need }: Rows): Pick<ExecutionStore, Facts> {
  const { db, clock, write, changed, event } = writing
  const setFlags = db.prepare<[string, string]>('UPDATE execution SET flags = ? WHERE id = ?')
  const setDiffSize = db.prepare<[string, string]>('UPDATE execution SET diff_size = ? WHERE id = ?')
  const setRedGreen = db.prepare<[string, string]>('UPDATE execution SET red_green = ? WHERE id = ?')

  return {
    flagExecution: (id, flag) =>
      write(() => {
        const row = need(id)
        const flags = JSON.parse(row.flags) as ExecutionFlag[]
        if (flags.length >= MOST_FLAGS || flags.some((one) => one.kind === flag.kind && one.text === flag.text)) return
        setFlags.run(JSON.stringify([...flags, flag]), id)
        event({ execution: id, session: null, type: 'flag', data: flag, line: null, at: clock.now() })
        changed('execution', row.project, id)
      }),

    noteDiffSize: (id, { files, added, removed, outside }) =>
      write(() => {
        const row = need(id)
        setDiffSize.run(JSON.stringify({ files, added, removed, outside }), id)
        changed('execution', row.project, id)
      }),

    noteRedGreen: (id, fact) =>
      write(() => {
        const row = need(id)
        setRedGreen.run(JSON.stringify(fact), id)
        event({ execution: id, session: null, type: 'red_green', data: fact, line: null, at: clock.now() })
        changed('execution', row.project, id)
      }),
  }
}
