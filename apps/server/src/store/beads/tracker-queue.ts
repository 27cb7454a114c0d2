import type { BeadId, ExecutionId } from '@beadloom/core/records/ids.ts'
import { changedWords, wordsOf } from '../../ports/bead-words.ts'
import type { BeadWords } from '../../ports/bead-words.ts'
import type { BeadStore } from '../../ports/store/beads.ts'
import type { ExecutionStore } from '../../ports/store/executions.ts'
import { LONGEST_WAIT_MS } from '../../ports/store/tracker-queue.ts'
import type { QueuedChange, TrackerQueue, TrackerState } from '../../ports/store/tracker-queue.ts'
import { toBead } from './bead-rows.ts'
import { isDecision, type BackToTracker, type EditRows } from './bead-edits.ts'
import type { BeadRow } from './bead-rows.ts'
import type { ExecutionRow } from '../executions/execution-rows.ts'
import type { Writing } from '../database/writer.ts'

type QueueRow = Pick<QueuedChange, 'seq' | 'rev' | 'tries' | 'kind'> & {
  execution: string
  newest: ExecutionId | null
  held: number
  origin: BeadId | null
  closed_with: ExecutionId | null
}

type Others = Pick<ExecutionStore, 'flagExecution'> & Pick<BeadStore, 'moveBead'> & BackToTracker

/** Rows are queued by triggers (`0003-tracker.sql`), in the same step that changes the bead or ends the execution. */
export function trackerStore(writing: Writing, store: Others, edits: EditRows): TrackerQueue {
  const rows = rowsOf(writing)
  return {
    ...queueReads(writing, rows, edits),
    ...outcomes(writing, rows, store, edits),
    ...noted(writing, rows, store),
  }
}

type Rows = ReturnType<typeof rowsOf>

function rowsOf({ db }: Writing) {
  const state = db.prepare<[string, string], TrackerState>(
    `SELECT count(*) AS waiting, min(due_at) AS dueAt,
       coalesce((SELECT problem FROM tracker_change WHERE project = ? AND problem <> '' ORDER BY due_at DESC LIMIT 1), '')
         AS problem
     FROM tracker_change WHERE project = ?`,
  )
  const work = db.prepare<[string, string], Pick<ExecutionRow, 'id' | 'state' | 'started_at' | 'given'>>(
    `SELECT id, state, started_at, given FROM execution WHERE project = ? AND bead = ? AND kind = 'work'
     ORDER BY queued_at DESC LIMIT 1`,
  )
  const row = db.prepare<[string, string], BeadRow>('SELECT * FROM bead WHERE project = ? AND id = ?')
  return {
    waiting: (project: string): TrackerState => state.get(project, project) ?? { waiting: 0, dueAt: null, problem: '' },
    row: (project: string, bead: string) => row.get(project, bead),
    /** The texts that the completing execution was given; null once somebody else has decided about the bead. */
    givenTo: (project: string, bead: string) => {
      const newest = work.get(project, bead)
      return newest?.state === 'COMPLETED' && newest.given !== null
        ? { execution: newest.id, words: JSON.parse(newest.given) as Partial<BeadWords> }
        : null
    },
  }
}

type Reads = 'trackerQueue' | 'trackerWaiting' | 'trackerState' | 'changedSince' | 'isUnfiled'

function queueReads({ db }: Writing, { waiting, row, givenTo }: Rows, edits: EditRows): Pick<TrackerQueue, Reads> {
  const due = db.prepare<[string, number, number, number, number], QueueRow & BeadRow>(
    `SELECT bead.*, change.seq, change.rev, change.tries, change.kind, change.execution,
       (SELECT execution.id FROM execution WHERE execution.project = change.project AND execution.bead = change.bead
        ORDER BY queued_at DESC LIMIT 1) AS newest, bead.local,
       EXISTS (SELECT 1 FROM execution WHERE execution.project = change.project AND execution.bead = change.bead
         AND execution.kind = 'work' AND execution.state = 'RUNNING') AS held,
       follow_up.bead AS origin, follow_up.closed_with
     FROM tracker_change AS change JOIN bead ON bead.project = change.project AND bead.id = change.bead
       LEFT JOIN follow_up ON follow_up.project = change.project AND follow_up.target = change.bead
     WHERE change.project = ? AND (change.due_at <= ? OR change.due_at > ?) AND change.seq > ? ORDER BY change.seq LIMIT ?`,
  )
  const listed = db.prepare<
    [string, number],
    { bead: string; kind: string; tries: number; due: number; problem: string }
  >(`SELECT bead, kind, tries, due_at AS due, problem FROM tracker_change WHERE project = ? ORDER BY seq LIMIT ?`)
  return {
    trackerQueue: (project, now, after, limit) =>
      due.all(project, now, now + LONGEST_WAIT_MS, after, limit).map((found) => ({
        ...toChange(found, closes(found) ? (givenTo(found.project, found.id)?.words ?? null) : null),
        edits: found.kind === 'describe' ? edits.waiting(found.project, found.id) : [],
      })),

    trackerWaiting: (project, limit) =>
      listed.all(project, limit).map(({ due: at, ...change }) => ({ ...change, nextAt: at === 0 ? null : at })),
    trackerState: waiting,

    changedSince: (project, bead) => {
      const [given, now] = [givenTo(project, bead), row(project, bead)]
      return given && now && now.gone === 0 ? changedWords(given.words, wordsOf(now)) : []
    },

    isUnfiled: (project, bead) => row(project, bead)?.local === 1,
  }
}

type Outcomes = 'trackerHas' | 'trackerDropped' | 'trackerLater'

/** The outcome of writing one change. */
function outcomes(
  { db, write, changed, event, clock }: Writing,
  { waiting }: Rows,
  store: Others,
  edits: EditRows,
): Pick<TrackerQueue, Outcomes> {
  const remove = db.prepare<[number, number]>('DELETE FROM tracker_change WHERE seq = ? AND rev = ?')
  const later = db.prepare<[number, string, number]>(
    'UPDATE tracker_change SET tries = tries + 1, due_at = ?, problem = ? WHERE seq = ?',
  )
  const seen = db.prepare<[string, string, string]>('UPDATE bead SET tracker_status = ? WHERE project = ? AND id = ?')
  return {
    trackerHas: (change, word, overruled = []) =>
      write(() => {
        remove.run(change.seq, change.rev)
        for (const edit of change.edits) {
          const left = overruled.find(({ field }) => field === edit.field)
          if (left) edits.settled(change.project, change.bead, edit, left.text)
          else edits.written(change.project, change.bead, edit)
        }
        if (word !== null) seen.run(word, change.project, change.bead)
        changed('bead', change.project, change.bead)
        changed('project', change.project, change.project)
      }),

    trackerDropped: (change, text) =>
      write(() => {
        remove.run(change.seq, change.rev)
        if (change.edits.length > 0) store.backToTracker(change.project, change.bead, change.edits, text)
        if (change.kind === 'status' && isDecision(change.content.status))
          edits.statusRefused(
            change.project,
            change.bead,
            { was: change.content.trackerStatus, wanted: change.content.status },
            text,
          )
        changed('bead', change.project, change.bead)
        const execution = change.execution ?? change.newest
        if (execution === null) return
        const warning = { text: `not written to the tracker: ${text}` }
        event({ execution, session: null, type: 'warning', data: warning, line: null, at: clock.now() })
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

type Noted = 'trackerOutdated' | 'trackerClaimed' | 'trackerTaken'

/** Notes what the tracker says about a bead at a write. */
function noted({ db, write, changed }: Writing, { givenTo }: Rows, store: Others): Pick<TrackerQueue, Noted> {
  const setClaim = db.prepare<[string | null, string, string]>(
    'UPDATE bead SET claimed_by = ? WHERE project = ? AND id = ?',
  )
  const setOurs = db.prepare<[string, string, string]>(
    'UPDATE bead SET tracker_status = ?, decided = 1 WHERE project = ? AND id = ?',
  )
  return {
    trackerOutdated: (project, bead, what) =>
      write(() => {
        const given = givenTo(project, bead)
        if (given === null) return
        store.flagExecution(given.execution, {
          kind: 'outdated',
          text: `${sentenceOf(what)} changed in the tracker while it ran. The work is verified and merged, but the bead stays open: run it again, or close it`,
        })
        store.moveBead(project, bead, { type: 'outdated' })
      }),

    trackerClaimed: (project, bead, word) =>
      write(() => {
        setOurs.run(word, project, bead)
        changed('bead', project, bead)
      }),

    trackerTaken: (project, bead, by) =>
      write(() => {
        setClaim.run(by, project, bead)
        changed('bead', project, bead)
      }),
  }
}

const closes = (row: QueueRow & BeadRow): boolean => row.kind === 'status' && row.status === 'done'

const toChange = (row: QueueRow & BeadRow, given: Partial<BeadWords> | null): Omit<QueuedChange, 'edits'> => ({
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
  held: row.held === 1,
  closedWith: row.origin && row.closed_with ? { bead: row.origin, execution: row.closed_with } : null,
  given,
})

const sentenceOf = (what: readonly string[]): string =>
  `its ${what.length > 1 ? `${what.slice(0, -1).join(', ')} and ${what.at(-1)} were` : `${what[0]} ${what[0]?.endsWith('a') ? 'were' : 'was'}`}`
