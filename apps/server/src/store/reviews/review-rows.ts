import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import { DISMISSED, wasDismissed } from '@beadloom/core/review/review-beads.ts'
import type { ReviewIssueRow, ReviewRow } from '../../ports/store/reviews.ts'
import type { Writing } from '../database/writer.ts'

export type StoredReview = {
  execution: ExecutionId
  project: ProjectId
  bead: BeadId | null
  branch: string
  from_commit: string
  to_commit: string
  model: string | null
  verdict: ReviewRow['verdict']
  reasons: string
  summary: string
  fixed: string
  filed: number
}

export type IssueRow = {
  execution: ExecutionId
  number: number
  project: ProjectId
  title: string
  title_key: string
  description: string
  priority: number
  type: string
  severity: ReviewIssueRow['severity']
  file_path: string
  line_numbers: string
  outside_diff: number
  filed: ReviewIssueRow['filed']
  target: BeadId | null
}

/** Why an issue was dismissed: directly, or by closing its bead with that label or reason. */
export function dismissals(db: Writing['db']): (issue: IssueRow) => string | null {
  const said = db.prepare<[string, string, string], { note: string }>(
    'SELECT note FROM review_dismissed WHERE project = ? AND file_path = ? AND title_key = ?',
  )
  const closed = db.prepare<[string, string], { labels: string; raw: string | null }>(
    `SELECT labels, raw FROM bead WHERE project = ? AND id = ? AND status = 'done'`,
  )
  return ({ project, file_path, title_key, target, filed }) => {
    const note = said.get(project, file_path, title_key)?.note
    if (note !== undefined || filed === 'dismissed') return note || DISMISSED
    const bead = target === null ? undefined : closed.get(project, target)
    return bead && wasDismissed(JSON.parse(bead.labels) as string[], bead.raw) ? DISMISSED : null
  }
}

export const toReview = (
  row: StoredReview,
  issues: IssueRow[],
  dismissalOf: (issue: IssueRow) => string | null,
): ReviewRow => ({
  execution: row.execution,
  project: row.project,
  bead: row.bead,
  branch: row.branch,
  from: row.from_commit,
  to: row.to_commit,
  model: row.model,
  verdict: row.verdict,
  reasons: JSON.parse(row.reasons) as string[],
  summary: row.summary,
  fixed: JSON.parse(row.fixed) as BeadId[],
  issues: issues.map((issue) => ({
    number: issue.number,
    title: issue.title,
    description: issue.description,
    priority: issue.priority,
    type: issue.type,
    severity: issue.severity,
    file_path: issue.file_path,
    line_numbers: JSON.parse(issue.line_numbers) as number[],
    outside_diff: issue.outside_diff === 1,
    filed: issue.filed,
    bead: issue.target,
    dismissed: dismissalOf(issue),
  })),
})
