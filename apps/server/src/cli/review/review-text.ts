import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { oneLiner, plainText } from '../terminal/terminal-text.ts'

/** A review for people: its issues, those fixed since, and last the verdict, where people look first. */
export function reviewText(view: ReviewView): string {
  const { id, state, branch, issues, fixed, summary, detail, reason } = view
  const why = reason === null ? '' : ` (${oneLiner(reason.text)})`
  if (!isTerminal(state))
    return `Review ${id} of ${oneLiner(branch)} is ${state}${why}. Follow it: beadloom logs -f ${id}; see the result: beadloom review${view.bead === null ? '' : ` ${view.bead}`}`
  const parts = [
    ...(summary === '' ? [] : [plainText(summary).trim()]),
    ...issues.map(issueText),
    ...(fixed.length === 0
      ? []
      : [`No longer found: ${fixed.map(({ bead, title }) => `${bead} (${oneLiner(title)})`).join(', ')}`]),
    `${view.verdict === 'ready' ? '✓' : '✕'} ${oneLiner(detail)}`,
  ]
  return parts.join('\n\n')
}

function issueText({
  title,
  severity,
  priority,
  file_path,
  line_numbers,
  outside_diff,
  filed,
  bead,
  dismissed,
}: ReviewIssueView): string {
  const lines = line_numbers.length === 0 ? '' : `:${line_numbers.slice(0, 5).join(',')}`
  const outside = outside_diff ? ', outside the diff' : ''
  return `${severity.padEnd(8)} ${oneLiner(title)}\n         ${oneLiner(file_path)}${lines}${outside} (P${priority})\n         ${whatBecame(filed, bead, dismissed)}`
}

function whatBecame(filed: ReviewIssueView['filed'], bead: string | null, dismissed: string | null): string {
  if (dismissed !== null) return `dismissed${bead === null ? '' : ` (${bead})`}: ${oneLiner(dismissed)}`
  if (filed === 'new') return `filed as ${bead}`
  return filed === 'known' ? `already filed: ${bead}` : 'not filed'
}
