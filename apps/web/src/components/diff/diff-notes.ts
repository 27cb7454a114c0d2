import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'

/** An issue at its file. `line` null: shown at the head, because the issue has no line or is `outdated`. */
export type DiffNote = { issue: ReviewIssueView; line: number | null; outdated: boolean }

/**
 * Issues by file. An issue keeps its line while the file is the one that the review saw. `reviewed` are the files of
 * the review's own diff; null while they are unknown.
 */
export function notesByFile(
  review: Pick<ReviewView, 'to' | 'issues'> | null,
  shownTo: string | null,
  files: readonly DiffFileView[],
  reviewed: readonly DiffFileView[] | null,
): Map<string, DiffNote[]> {
  const found = new Map<string, DiffNote[]>()
  if (review === null) return found
  const seen = new Map(reviewed?.map(({ path, blob }) => [path, blob]))
  const now = new Map(files.map(({ path, blob }) => [path, blob]))
  for (const issue of review.issues) {
    const { file_path: path, line_numbers: lines } = issue
    if (!now.has(path) || issue.dismissed !== null || issue.beadStatus === 'done') continue
    const outdated = review.to !== shownTo && (!seen.has(path) || seen.get(path) !== now.get(path))
    const line = outdated || lines.length === 0 ? null : Math.max(...lines)
    const notes = found.get(path)
    if (notes) notes.push({ issue, line, outdated })
    else found.set(path, [{ issue, line, outdated }])
  }
  return found
}
