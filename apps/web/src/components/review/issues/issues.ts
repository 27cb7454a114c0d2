import type { ReviewIssueView } from '@beadloom/core/api/reviews/review-api.ts'
import { severities, type Severity } from '@beadloom/core/review/severity.ts'

/** The outcome of an issue. */
export type IssueStatus = 'open' | 'fixed' | 'dismissed'
export type Grouping = 'severity' | 'file'
export type IssueGroup = { title: string; issues: ReviewIssueView[] }

export function statusOf({ dismissed, beadStatus }: Pick<ReviewIssueView, 'dismissed' | 'beadStatus'>): IssueStatus {
  if (dismissed !== null) return 'dismissed'
  return beadStatus === 'done' ? 'fixed' : 'open'
}

const rank = ({ severity }: ReviewIssueView): number => severities.indexOf(severity)
const byWeight = (a: ReviewIssueView, b: ReviewIssueView): number =>
  rank(a) - rank(b) || a.priority - b.priority || a.number - b.number
const firstLine = ({ line_numbers }: ReviewIssueView): number => line_numbers[0] ?? 0
const byPlace = (a: ReviewIssueView, b: ReviewIssueView): number => firstLine(a) - firstLine(b) || a.number - b.number

/** By severity, worst first; or by file, the file with the worst issue first and its issues from top to bottom. */
export function groupIssues(issues: readonly ReviewIssueView[], by: Grouping): IssueGroup[] {
  const sorted = issues.toSorted(byWeight)
  const groups = Map.groupBy(sorted, ({ severity, file_path }) => (by === 'severity' ? severity : file_path))
  return [...groups].map(([title, own]) => ({ title, issues: by === 'file' ? own.toSorted(byPlace) : own }))
}

/** Severities present, worst first, with their counts. */
export function countsOf(
  issues: readonly Pick<ReviewIssueView, 'severity'>[],
): { severity: Severity; count: number }[] {
  return severities
    .map((severity) => ({ severity, count: issues.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0)
}

export const openCount = (issues: readonly ReviewIssueView[]): number =>
  issues.filter((one) => statusOf(one) === 'open').length

const MOST_RANGES = 3

/** "12–13, 20": joins neighbours, and cuts the list to one line's room. Empty for the whole file. */
export function linesText(lines: readonly number[]): string {
  const ranges: { first: number; last: number }[] = []
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && line <= last.last + 1) last.last = line
    else ranges.push({ first: line, last: line })
  }
  const texts = ranges
    .slice(0, MOST_RANGES)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`))
  return `${texts.join(', ')}${ranges.length > MOST_RANGES ? ', …' : ''}`
}

/** "src/sum.ts:12–13". */
export function placeText({ file_path, line_numbers }: Pick<ReviewIssueView, 'file_path' | 'line_numbers'>): string {
  const lines = linesText(line_numbers)
  return lines === '' ? file_path : `${file_path}:${lines}`
}

/** The issue before or after the current one, in the order on the screen; without a current one, the first. */
export function stepIssue(groups: readonly IssueGroup[], from: number | undefined, by: 1 | -1): number | undefined {
  const order = groups.flatMap(({ issues }) => issues.map(({ number }) => number))
  const at = from === undefined ? -1 : order.indexOf(from)
  return at < 0 ? order[0] : order[Math.min(order.length - 1, Math.max(0, at + by))]
}
