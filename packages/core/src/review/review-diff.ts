import type { ReviewIssue } from './review.ts'

/** Lines of the new file that a hunk shows, both ends included. */
export type LineRange = { first: number; last: number }

/** The lines of the new file that a unified diff shows. A hunk that only removes lines counts as the line before it. */
export function shownLines(patch: string): LineRange[] {
  const ranges: LineRange[] = []
  for (const [, start = '', count = '1'] of patch.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)) {
    const first = Math.max(1, Number(start))
    ranges.push({ first, last: first + Math.max(1, Number(count)) - 1 })
  }
  return ranges
}

/**
 * Whether an issue is about lines that the diff does not show. `patch`: its file's, null if the file is not in the
 * diff. With a patch without hunks (a binary file, a rename) or a cut one, the answer is no.
 */
export function isOutside(issue: Pick<ReviewIssue, 'line_numbers'>, patch: string | null, cut = false): boolean {
  if (patch === null) return true
  const ranges = shownLines(patch)
  if (issue.line_numbers.length === 0 || ranges.length === 0 || cut) return false
  return !issue.line_numbers.some((line) => ranges.some(({ first, last }) => first <= line && line <= last))
}
