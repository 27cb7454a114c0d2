import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import { normalTitle } from '@beadloom/core/review/review.ts'
import { DISMISSED, WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import type { ReviewRow, ReviewStore } from '../../ports/store/reviews.ts'
import type { BeadStore, TrackedBead } from '../../ports/store/beads.ts'
import type { ExecutionStore } from '../../ports/store/executions.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { reviewFiler } from './review-beads.ts'
import { dismissals, toReview, type IssueRow, type StoredReview } from './review-rows.ts'
import type { Writing } from '../database/writer.ts'

/** The limit of kept answers of one session; a second one is already the agent's mistake. */
const MOST_ANSWERS = 2

type Others = Pick<BeadStore, 'bead' | 'beads' | 'addBead' | 'moveBead'> &
  Pick<ExecutionStore, 'queueExecution' | 'execution'>

export function reviewStore(writing: Writing, store: Others): ReviewStore {
  const rows = rowsOf(writing)
  return {
    ...reviewReads(writing, rows),
    ...reviewing(writing, rows, store),
    ...judging(writing, rows),
    ...issueDecisions(writing, rows, store),
  }
}

type Rows = ReturnType<typeof rowsOf>

/** A stored review with its issues, and what people have said about them. */
function rowsOf({ db }: Writing) {
  const select = db.prepare<[string], StoredReview>('SELECT * FROM review WHERE execution = ?')
  const issuesOf = db.prepare<[string], IssueRow>('SELECT * FROM review_issue WHERE execution = ? ORDER BY number')
  const dismissalOf = dismissals(db)
  const need = (id: ExecutionId): StoredReview => {
    const row = select.get(id)
    if (!row) throw new StoreError('missing', `there is no review ${id}`)
    return row
  }
  return {
    row: (id: ExecutionId) => select.get(id),
    need,
    issuesOf: (id: ExecutionId) => issuesOf.all(id),
    dismissalOf,
    inFull: (row: StoredReview): ReviewRow => toReview(row, issuesOf.all(row.execution), dismissalOf),
  }
}

function reviewReads({ db }: Writing, { row, inFull }: Rows): Pick<ReviewStore, 'review' | 'reviews' | 'reviewOf'> {
  // `all`: reviews of every bead and of the work branch. Several may be queued in the same millisecond.
  const newest = db.prepare<
    [{ project: string; all: 0 | 1; bead: BeadId | null; before: string | null; limit: number }],
    StoredReview
  >(
    `SELECT review.* FROM review JOIN execution ON id = execution
     WHERE review.project = @project AND (@all = 1 OR review.bead IS @bead)
       AND (@before IS NULL OR (queued_at, id) < (SELECT queued_at, id FROM execution WHERE id = @before))
     ORDER BY queued_at DESC, id DESC LIMIT @limit`,
  )
  const ofTarget = db.prepare<[string, BeadId | null, string], StoredReview>(
    `SELECT review.* FROM review JOIN execution ON id = execution
     WHERE review.project = ? AND review.bead IS ?
       AND (ended_at IS NULL OR (to_commit = ? AND verdict IN ('ready', 'not_ready') AND state = 'COMPLETED'))
     ORDER BY ended_at IS NULL DESC, queued_at DESC LIMIT 1`,
  )
  return {
    review: (id) => {
      const known = row(id)
      return known ? inFull(known) : null
    },

    reviews: (project, { bead, before = null, limit }) =>
      newest.all({ project, all: bead === undefined ? 1 : 0, bead: bead ?? null, before, limit }).map(inFull),

    reviewOf: (project, bead, commit) => {
      const known = ofTarget.get(project, bead, commit)
      return known ? inFull(known) : null
    },
  }
}

type Reviewing = 'queueReview' | 'noteReviewer' | 'keepAnswer' | 'answers'

/** The course of a review, up to its agent's answer. */
function reviewing(
  { db, clock, write, changed }: Writing,
  { need }: Rows,
  store: Others,
): Pick<ReviewStore, Reviewing> {
  const setModel = db.prepare<[string | null, string]>('UPDATE review SET model = ? WHERE execution = ?')
  const insert = db.prepare<[string, string, BeadId | null, string, string, string]>(
    'INSERT INTO review (execution, project, bead, branch, from_commit, to_commit) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const pin = db.prepare<[string, string, string]>(
    'UPDATE execution SET base_commit = ?, verified_commit = ? WHERE id = ?',
  )
  const keep = db.prepare<[string, number, string]>(
    'INSERT INTO review_answer (session, number, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const answersOf = db.prepare<[string], { session: SessionId; text: string }>(
    `SELECT review_answer.session, text FROM review_answer JOIN session ON id = session
     WHERE execution = ? ORDER BY session.number, review_answer.number`,
  )
  return {
    queueReview: ({ bead, from, to, ...rest }) =>
      write(() => {
        const { id, project, branch } = rest
        if (bead === null && !store.bead(project, WORK_BRANCH_BEAD)) store.addBead(workBranchBead(project, clock.now()))
        const queued = store.queueExecution({ ...rest, bead: bead ?? WORK_BRANCH_BEAD, kind: 'review' })
        if ('refused' in queued) return queued
        insert.run(id, project, bead, branch, from, to)
        pin.run(from, to, id)
        return store.execution(id) ?? queued
      }),

    noteReviewer: (id, model) =>
      write(() => {
        const { project, model: known } = need(id)
        if (known === model) return
        setModel.run(model, id)
        changed('execution', project, id)
      }),

    keepAnswer: (session, number, text) =>
      write(() => {
        if (number <= MOST_ANSWERS) keep.run(session, number, text)
      }),

    answers: (execution) => answersOf.all(execution),
  }
}

function judging({ db, write, changed }: Writing, { need }: Rows): Pick<ReviewStore, 'judgeReview'> {
  const judge = db.prepare<[StoredReview['verdict'], string, string, string]>(
    'UPDATE review SET verdict = ?, reasons = ?, summary = ? WHERE execution = ? AND filed = 0',
  )
  const dropIssues = db.prepare<[string]>('DELETE FROM review_issue WHERE execution = ?')
  const addIssue = db.prepare<[Omit<IssueRow, 'filed' | 'target'>]>(
    `INSERT INTO review_issue (execution, number, project, title, title_key, description, priority, type, severity,
       file_path, line_numbers, outside_diff)
     VALUES (@execution, @number, @project, @title, @title_key, @description, @priority, @type, @severity, @file_path,
       @line_numbers, @outside_diff)`,
  )
  return {
    judgeReview: (id, { verdict, reasons, summary, issues }) =>
      write(() => {
        const { project } = need(id)
        if (judge.run(verdict, JSON.stringify(reasons), summary, id).changes === 0) return // its issues have beads
        dropIssues.run(id)
        for (const [at, { line_numbers, outside_diff, ...issue }] of issues.entries())
          addIssue.run({
            ...issue,
            execution: id,
            number: at + 1,
            project,
            title_key: normalTitle(issue.title),
            line_numbers: JSON.stringify(line_numbers),
            outside_diff: outside_diff ? 1 : 0,
          })
        changed('execution', project, id)
      }),
  }
}

type Decisions = 'fileReview' | 'dismissIssue' | 'reopenIssue'

/** A review's issues become beads, or people say that they are none. */
function issueDecisions(
  writing: Writing,
  { row, issuesOf, dismissalOf, inFull }: Rows,
  store: Others,
): Pick<ReviewStore, Decisions> {
  const { db, clock, write, changed, event } = writing
  // A second dismissal replaces the note, but the first one closed the bead.
  const dismiss = db.prepare<[string, string, string, number, string, 0 | 1]>(
    `INSERT INTO review_dismissed (project, file_path, title_key, at, note, closed) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET at = excluded.at, note = excluded.note, closed = max(closed, excluded.closed)`,
  )
  const { file, reopen } = reviewFiler(writing, store)
  const said = ({ execution, number, target }: IssueRow, type: string) =>
    event({ execution, session: null, type, data: { issue: number, bead: target }, line: null, at: clock.now() })

  return {
    fileReview: (id) =>
      write(() => {
        const known = row(id)
        if (known && known.verdict !== null && known.filed === 0) file(inFull(known), issuesOf(id))
      }),

    dismissIssue: (id, number, note) =>
      write(() => {
        const issue = issuesOf(id).find((one) => one.number === number)
        if (!issue) return false
        const { project, file_path, title_key, target } = issue
        const bead = target === null ? null : store.bead(project, target)
        const closes = bead !== null && bead.status !== 'done'
        dismiss.run(project, file_path, title_key, clock.now(), note || DISMISSED, closes ? 1 : 0)
        if (closes) store.moveBead(project, bead.id, { type: 'closed' })
        said(issue, 'review_issue_dismissed')
        changed('execution', project, id)
        return true
      }),

    reopenIssue: (id, number) =>
      write(() => {
        const known = row(id)
        const rows = issuesOf(id)
        const issue = rows.find((one) => one.number === number)
        if (!known || !issue) return 'missing'
        if (dismissalOf(issue) === null) return 'not dismissed'
        reopen(inFull(known), issue)
        said(issue, 'review_issue_reopened')
        changed('execution', issue.project, id)
        return 'reopened'
      }),
  }
}

/**
 * Every execution has a bead. This one stands in for the work branch; it is never shown, queued or written to a
 * tracker.
 */
const workBranchBead = (project: ProjectId, now: number): TrackedBead => ({
  project,
  id: WORK_BRANCH_BEAD,
  title: 'The work branch',
  description: 'Represents the work branch where a review needs a bead.',
  status: 'open',
  trackerStatus: 'open',
  priority: 2,
  type: 'task',
  labels: [],
  dependencies: [],
  createdAt: now,
  updatedAt: now,
  deferUntil: null,
  pinned: false,
  ephemeral: true,
  template: false,
  raw: null,
})
