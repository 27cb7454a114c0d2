import type { Bead } from '@beadloom/core/records/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import { issueBead, issueBeadIds, wasDismissed, WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import type { ReviewIssueRow, ReviewRow } from '../../ports/store/reviews.ts'
import type { BeadStore } from '../../ports/store/beads.ts'
import type { IssueRow } from './review-rows.ts'
import type { Writing } from '../database/writer.ts'

type Beads = Pick<BeadStore, 'bead' | 'beads' | 'addBead' | 'moveBead'>
type Filed = { filed: NonNullable<IssueRow['filed']>; target: BeadId | null }

export type ReviewFiler = {
  /** Files a bead for each issue that has no open one. Called in a transaction, once for each review. */
  file(review: ReviewRow, rows: readonly IssueRow[]): void
  /** Takes a dismissal back, in every review that found the issue. Called in a transaction. */
  reopen(review: ReviewRow, row: IssueRow): void
}

export function reviewFiler(writing: Writing, store: Beads): ReviewFiler {
  const beads = issueBeads(writing, store)
  return { file: filing(writing, store, beads), reopen: reopening(writing, store, beads) }
}

type IssueBeads = ReturnType<typeof issueBeads>

/** The beads of issues: the ones that are there, and new ones. */
function issueBeads({ db, clock }: Writing, store: Beads) {
  const isDismissed = db.prepare<[string, string, string], { at: number }>(
    'SELECT at FROM review_dismissed WHERE project = ? AND file_path = ? AND title_key = ?',
  )
  const sameIssue = db.prepare<[string, string, string], { target: BeadId }>(
    `SELECT DISTINCT target FROM review_issue WHERE project = ? AND file_path = ? AND title_key = ?
       AND target IS NOT NULL`,
  )
  const setFiled = db.prepare<[string, BeadId | null, string, number]>(
    'UPDATE review_issue SET filed = ?, target = ? WHERE execution = ? AND number = ?',
  )
  const rawOf = db.prepare<[string, string], { raw: string | null }>(
    'SELECT raw FROM bead WHERE project = ? AND id = ?',
  )

  const before = (project: ProjectId, { file_path, title_key }: IssueRow): Filed | null => {
    const beads = sameIssue
      .all(project, file_path, title_key)
      .flatMap(({ target }) => store.bead(project, target) ?? [])
    const unwanted = beads.find(
      (bead) => isOver(bead) && wasDismissed(bead.labels, rawOf.get(project, bead.id)?.raw ?? null),
    )
    if (unwanted) return { filed: 'dismissed', target: unwanted.id }
    if (isDismissed.get(project, file_path, title_key)) return { filed: 'dismissed', target: beads[0]?.id ?? null }
    const open = beads.find((bead) => !isOver(bead))
    return open ? { filed: 'known', target: open.id } : null
  }

  const fileNew = (review: ReviewRow, issue: ReviewIssueRow): BeadId => {
    const { project, bead, execution, to } = review
    for (const id of issueBeadIds(prefixOf(store, project, bead), execution, issue.number)) {
      if (store.bead(project, id)) continue
      const made = issueBead(issue, { reviewed: bead, execution, to })
      const now = clock.now()
      store.addBead({
        ...made,
        project,
        id,
        status: 'open',
        trackerStatus: 'open',
        createdAt: now,
        updatedAt: now,
        deferUntil: null,
        pinned: false,
        ephemeral: false,
        template: false,
        raw: null,
      })
      return id
    }
    throw new Error('unreachable: there is always another id')
  }

  return {
    before,
    fileNew,
    ofIssue: ({ project, file_path, title_key }: IssueRow) => sameIssue.get(project, file_path, title_key)?.target,
    file: ({ filed, target }: Filed, { execution, number }: IssueRow) => setFiled.run(filed, target, execution, number),
  }
}

function reopening({ db }: Writing, store: Beads, { ofIssue, fileNew, file }: IssueBeads): ReviewFiler['reopen'] {
  const dismissal = db.prepare<[string, string, string], { closed: number }>(
    'SELECT closed FROM review_dismissed WHERE project = ? AND file_path = ? AND title_key = ?',
  )
  const forget = db.prepare<[string, string, string]>(
    'DELETE FROM review_dismissed WHERE project = ? AND file_path = ? AND title_key = ?',
  )
  // Reviews that found it while it was dismissed filed nothing; from now on they point to this bead.
  const wanted = db.prepare<[BeadId, string, string, string]>(
    `UPDATE review_issue SET filed = 'known', target = ? WHERE project = ? AND file_path = ? AND title_key = ?
       AND filed = 'dismissed'`,
  )
  return (review, row) => {
    const { project, file_path, title_key, number } = row
    const closed = dismissal.get(project, file_path, title_key)?.closed
    forget.run(project, file_path, title_key)
    const known = row.target === null ? null : store.bead(project, row.target)
    const issue = review.issues.find((one) => one.number === number)
    // A review that has not ended yet files its issues when it does.
    const target = known?.id ?? ofIssue(row) ?? (row.filed && issue ? fileNew(review, issue) : null)
    if (target === null) return
    if (row.target === null) file({ filed: 'known', target }, row)
    wanted.run(target, project, file_path, title_key)
    const bead = store.bead(project, target)
    // If we have no row, it was closed as dismissed in the tracker. An issue that was fixed before it was dismissed
    // stays closed.
    if (bead?.status === 'done' && closed !== 0) store.moveBead(project, target, { type: 'reopened' })
  }
}

function filing(
  { db, clock, changed, event }: Writing,
  store: Beads,
  { before, fileNew, file }: IssueBeads,
): ReviewFiler['file'] {
  const ofSameTarget = db.prepare<[string, string, BeadId | null], { target: BeadId }>(
    `SELECT DISTINCT target FROM review_issue AS issue JOIN review USING (execution)
     WHERE issue.project = ? AND execution <> ? AND review.bead IS ? AND target IS NOT NULL
     ORDER BY target LIMIT 500`,
  )
  const done = db.prepare<[string, string]>('UPDATE review SET filed = 1, fixed = ? WHERE execution = ?')
  return (review, rows) => {
    const { execution, project, bead } = review
    const found = new Set<BeadId>()
    for (const [at, row] of rows.entries()) {
      const its = before(project, row) ?? { filed: 'new' as const, target: fileNew(review, review.issues[at]!) }
      file(its, row)
      const { filed, target } = its
      if (target !== null) found.add(target)
      if (filed === 'new')
        event({ execution, session: null, type: 'review_issue', data: { bead: target }, line: null, at: clock.now() })
    }
    // An unreadable answer says nothing about which issues are gone.
    const fixed = review.verdict === 'unparseable' ? [] : ofSameTarget.all(project, execution, bead)
    const gone = fixed.filter(({ target }) => {
      const its = store.bead(project, target)
      return its !== null && !isOver(its) && !found.has(target)
    })
    done.run(JSON.stringify(gone.map(({ target }) => target)), execution)
    changed('execution', project, execution)
  }
}

const isOver = (bead: Bead): boolean => bead.status === 'done' || bead.trackerStatus === 'tombstone'

/** The reviewed bead's prefix, else the one that most beads of the project have. */
function prefixOf(store: Beads, project: ProjectId, bead: BeadId | null): string {
  const prefix = (id: BeadId) => id.slice(0, Math.max(0, id.lastIndexOf('-')))
  if (bead !== null && !bead.includes('-wisp')) return prefix(bead)
  const counts = new Map<string, number>()
  for (const { id } of store.beads(project))
    if (id !== WORK_BRANCH_BEAD && prefix(id) !== '') counts.set(prefix(id), (counts.get(prefix(id)) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? project
}
