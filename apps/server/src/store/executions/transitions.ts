import { transitionBead } from '@beadloom/core/records/bead.ts'
import type { Refused } from '@beadloom/core/records/bead.ts'
import {
  executionKinds,
  movesBead,
  statesBefore,
  terminalStates,
  transitionExecution,
} from '@beadloom/core/records/execution.ts'
import type { Execution, ExecutionEnd, ExecutionState } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { defaultRetry } from '@beadloom/core/records/retry.ts'
import { wordsOf } from '../../ports/bead-words.ts'
import type { BeadStore } from '../../ports/store/beads.ts'
import type { ExecutionStore, NewExecution } from '../../ports/store/executions.ts'
import type { Answering } from '../beads/follow-ups.ts'
import type { BeadRow } from '../beads/bead-rows.ts'
import { columnsOf, endColumns, oddityOf, toExecution } from './execution-rows.ts'
import type { ExecutionRow } from './execution-rows.ts'
import type { Writing } from '../database/writer.ts'

/** As in a project's settings. */
const DEFAULT_SESSIONS = 10

/** A person's choices are null if there are none. */
const nothingChosen = { chosen: null, checks_first: null, by_autopilot: null, plan_version: null, from_phase: null }
const queuedColumns = [
  'id',
  'project',
  'bead',
  'kind',
  'state',
  'branch',
  'context',
  'former_bead_status',
  'max_attempts',
  'retry',
  'max_sessions',
  'queued_at',
  ...Object.keys(nothingChosen),
]

const knownKinds = executionKinds.map((kind) => `'${kind}'`).join(', ')

export type ExecutionMoves = Pick<ExecutionStore, 'queueExecution' | 'startExecution' | 'endExecution'>

const allowedBefore = (to: ExecutionState) =>
  statesBefore(to)
    .map((state) => `'${state}'`)
    .join(', ')

type Beads = Pick<BeadStore, 'moveBead' | 'bead'> & Answering

/** The moves of an execution: core says which are allowed, one guarded statement makes one, one event records it. */
export function transitionStore(writing: Writing, beads: Beads): ExecutionMoves {
  const moves = movesIn(writing)
  return {
    queueExecution: queueing(writing, moves, beads),
    startExecution: starting(writing, moves, beads),
    endExecution: ending(writing, moves),
  }
}

type Moves = ReturnType<typeof movesIn>

/** The parts of every move: the row before it, and what is told after it. */
function movesIn({ db, clock, changed, event }: Writing) {
  const select = db.prepare<[string], ExecutionRow>('SELECT * FROM execution WHERE id = ?')

  const tell = (execution: Execution, from: ExecutionState | null) => {
    const { id, project, state, reason, detail } = execution
    const data = { from, to: state, reason, detail }
    event({ execution: id, session: null, type: 'state', data, line: null, at: clock.now() })
    changed('execution', project, id)
    changed('bead', project, execution.bead) // its card shows the newest execution
    changed('status', '', 'server') // slots and queue
  }

  return {
    /** The row of an execution that may move. */
    before: (id: ExecutionId): ExecutionRow | Refused => {
      const row = select.get(id)
      if (!row) return { refused: `there is no execution ${id}` }
      const odd = oddityOf(row)
      return odd === null ? row : { refused: odd }
    },
    queued: (id: ExecutionId): Execution => {
      const execution = toExecution(select.get(id)!)
      tell(execution, null)
      return execution
    },
    moved: (id: ExecutionId, from: ExecutionState, rowsWritten: number): Execution | Refused => {
      const row = select.get(id)
      if (!row || rowsWritten !== 1)
        return { refused: `execution ${id} is ${row?.state ?? 'gone'}: somebody else moved it first` }
      const execution = toExecution(row)
      tell(execution, from)
      return execution
    },
  }
}

function queueing({ db, clock, write, changed }: Writing, { queued }: Moves, { bead }: Beads) {
  const liveOf = db.prepare<[string, string], ExecutionRow>(
    'SELECT * FROM execution WHERE project = ? AND bead = ? AND ended_at IS NULL',
  )
  const queuedAt = db.prepare<[number], { id: string }>('SELECT id FROM execution WHERE queued_at = ?')
  const newestAt = db.prepare<[string, string], { at: number | null }>(
    'SELECT max(queued_at) AS at FROM execution WHERE project = ? AND bead = ?',
  )
  const insert = db.prepare(
    `INSERT INTO execution (${queuedColumns.join(', ')}) VALUES (${queuedColumns.map((name) => `@${name}`).join(', ')})`,
  )
  const settle = db.prepare(
    `UPDATE execution SET state = 'FAILED', reason = 'infra_error', detail = @detail, ended_at = @at, settled = 1,
       retry_at = NULL, pending_push = NULL, kind = CASE WHEN kind IN (${knownKinds}) THEN kind ELSE 'work' END
     WHERE id = @id`,
  )

  /**
   * No two executions share a queue time, so that sorting and paging by it never meet a tie. The newest of a bead has its
   * latest one, even if the wall clock was set back: it alone moves the bead.
   */
  const freeQueueTime = ({ project, bead }: NewExecution) => {
    let at = Math.max(clock.now(), (newestAt.get(project, bead)?.at ?? 0) + 1)
    while (queuedAt.get(at)) at += 1
    return at
  }

  /** A person who runs the bead again has decided about an unreadable execution: it becomes what it was shown as. */
  const leftOver = (row: ExecutionRow | undefined): ExecutionRow | undefined => {
    const odd = row && oddityOf(row)
    if (!row || odd === null) return row
    settle.run({ id: row.id, detail: odd, at: clock.now() })
    changed('execution', row.project, row.id)
    return undefined
  }

  return (wanted: NewExecution): Execution | Refused =>
    write(() => {
      const its = bead(wanted.project, wanted.bead)
      if (!its) return { refused: `there is no bead ${wanted.bead} in project ${wanted.project}` }
      if (its.trackerStatus === 'tombstone') return { refused: `bead ${its.id} is no longer in its tracker` }
      const live = leftOver(liveOf.get(wanted.project, wanted.bead))
      if (live) return { refused: `bead ${its.id} already has a live execution: ${live.id}` }
      const started = movesBead[wanted.kind] ? transitionBead(its.status, { type: 'started' }) : its.status
      if (typeof started !== 'string') return started
      const columns = columnsOf({
        ...wanted,
        retry: wanted.retry ?? defaultRetry,
        maxSessions: wanted.maxSessions ?? DEFAULT_SESSIONS,
        state: 'QUEUED',
        formerBeadStatus: its.status,
        queuedAt: freeQueueTime(wanted),
      })
      insert.run({ ...nothingChosen, ...columns })
      return queued(wanted.id)
    })
}

function starting({ db, clock, stopwatches, write }: Writing, { before, moved }: Moves, beads: Beads) {
  const textsOf = db.prepare<[string, string], Pick<BeadRow, 'title' | 'description' | 'raw'>>(
    'SELECT title, description, raw FROM bead WHERE project = ? AND id = ?',
  )
  const start = db.prepare(
    `UPDATE execution SET state = 'RUNNING', started_at = @at, deadline_at = @deadlineAt, former_bead_status = @former,
       former_failed = @formerFailed, given = @given, settings = @settings,
       max_attempts = coalesce(@maxAttempts, max_attempts), max_sessions = coalesce(@maxSessions, max_sessions)
     WHERE id = @id AND state IN (${allowedBefore('RUNNING')})`,
  )
  const startExecution: ExecutionMoves['startExecution'] = (id, deadlineAt, limits, settings = null) =>
    write(() => {
      const row = before(id)
      if ('refused' in row) return row
      const next = transitionExecution(row.state, { type: 'started' })
      if (typeof next !== 'string') return next
      const its = beads.bead(row.project, row.bead)
      const former = its?.status ?? row.former_bead_status
      const texts = movesBead[row.kind] ? textsOf.get(row.project, row.bead) : undefined
      const beadNow = movesBead[row.kind] ? beads.moveBead(row.project, row.bead, { type: 'started' }) : former
      if (typeof beadNow !== 'string') return beadNow
      if (movesBead[row.kind]) beads.answerReminders(row)
      stopwatches.start(id)
      const columns = {
        id,
        deadlineAt,
        former,
        formerFailed: its?.failed ? 1 : 0,
        given: texts ? JSON.stringify(wordsOf(texts)) : null,
        maxAttempts: limits?.maxAttempts ?? null,
        maxSessions: limits?.maxSessions ?? null,
        settings: settings && JSON.stringify(settings),
        at: clock.now(),
      }
      return moved(id, row.state, start.run(columns).changes)
    })
  return startExecution
}

function ending({ db, clock, stopwatches, write }: Writing, { before, moved }: Moves) {
  const ends = new Map(
    terminalStates.map((to) => [
      to,
      db.prepare(
        `UPDATE execution SET state = '${to}', reason = @reason, failure_kind = @failure_kind,
           detail = @detail, blocked_reason = @blocked_reason,
           verified_commit = coalesce(@verified_commit, verified_commit), ended_at = @at, took_ms = @took,
           retry_at = NULL, pending_push = NULL, settings = NULL
         WHERE id = @id AND state IN (${allowedBefore(to)})`,
      ),
    ]),
  )
  return (id: ExecutionId, end: ExecutionEnd): Execution | Refused =>
    write(() => {
      const row = before(id)
      if ('refused' in row) return row
      const next = transitionExecution(row.state, { type: 'ended', end })
      if (typeof next !== 'string') return next
      const columns = { ...endColumns(end), at: clock.now(), took: stopwatches.end(id) }
      return moved(id, row.state, ends.get(end.state)!.run({ id, ...columns }).changes)
    })
}
