import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { QueuedChange, TrackerQueue, TrackerState } from '../ports/tracker-queue.ts'
import { toBead } from './bead-rows.ts'
import type { BeadRow } from './bead-rows.ts'
import type { Writing } from './writer.ts'

type QueueRow = Pick<QueuedChange, 'seq' | 'rev' | 'tries' | 'kind'> & { execution: string; newest: ExecutionId | null }

/** Tables and triggers are in `0003-tracker.sql`: what changes a bead or ends an execution queues it, in one step. */
export function trackerStore({ db, write, changed, event, clock }: Writing): TrackerQueue {
  const due = db.prepare<[string, number, number, number], QueueRow & BeadRow>(
    `SELECT bead.*, change.seq, change.rev, change.tries, change.kind, change.execution,
       (SELECT execution.id FROM execution WHERE execution.project = change.project AND execution.bead = change.bead
        ORDER BY queued_at DESC LIMIT 1) AS newest
     FROM tracker_change AS change JOIN bead ON bead.project = change.project AND bead.id = change.bead
     WHERE change.project = ? AND change.due_at <= ? AND change.seq > ? ORDER BY change.seq LIMIT ?`,
  )
  const state = db.prepare<[string, string], TrackerState>(
    `SELECT count(*) AS waiting, min(due_at) AS dueAt,
       coalesce((SELECT problem FROM tracker_change WHERE project = ? AND problem <> '' ORDER BY due_at DESC LIMIT 1), '')
         AS problem
     FROM tracker_change WHERE project = ?`,
  )
  const remove = db.prepare<[number, number]>('DELETE FROM tracker_change WHERE seq = ? AND rev = ?')
  const later = db.prepare<[number, string, number]>(
    'UPDATE tracker_change SET tries = tries + 1, due_at = ?, problem = ? WHERE seq = ?',
  )
  const seen = db.prepare<[string, string, string]>('UPDATE bead SET tracker_status = ? WHERE project = ? AND id = ?')
  const waiting = (project: string) => state.get(project, project) ?? { waiting: 0, dueAt: null, problem: '' }

  return {
    trackerQueue: (project, now, after, limit) => due.all(project, now, after, limit).map(toChange),

    trackerState: waiting,

    trackerHas: (change, word) =>
      write(() => {
        remove.run(change.seq, change.rev)
        if (word !== null) seen.run(word, change.project, change.bead)
        changed('bead', change.project, change.bead)
        changed('project', change.project, change.project)
      }),

    trackerDropped: (change, text) =>
      write(() => {
        remove.run(change.seq, change.rev)
        const execution = change.execution ?? change.newest
        if (execution === null) return
        event({ execution, session: null, type: 'warning', data: { text }, line: null, at: clock.now() })
        changed('execution', change.project, execution)
      }),

    trackerLater: (change, dueAt, problem) =>
      write(() => {
        const before = waiting(change.project).problem
        later.run(dueAt, problem, change.seq)
        if (before !== problem) changed('project', change.project, change.project)
      }),
  }
}

const toChange = (row: QueueRow & BeadRow): QueuedChange => ({
  seq: row.seq,
  rev: row.rev,
  tries: row.tries,
  kind: row.kind,
  project: row.project,
  bead: row.id,
  execution: row.execution === '' ? null : (row.execution as ExecutionId),
  content: toBead(row),
  raw: row.raw,
  newest: row.newest,
})
