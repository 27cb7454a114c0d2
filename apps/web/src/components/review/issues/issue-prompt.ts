import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { codeSpan, fenced } from '@beadloom/core/text/fenced.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { linesText } from './issues.ts'

/** The server's limit for a note to an agent. */
export const MOST_CONTEXT = 20_000
const MOST_DESCRIPTION = 4000

type Reviewed = Pick<ReviewView, 'branch' | 'to'>

/**
 * Issues as a task for an agent. A reviewer wrote the text, so it is fenced: the agent reads it as data and does not
 * obey it. If it exceeds the limit of a note, whole issues are left out, and the text says how many.
 */
export function issuesPrompt(issues: readonly ReviewIssueView[], { branch, to }: Reviewed): string {
  const head = `A review of ${codeSpan(branch, 300)} at commit ${to.slice(0, 12)} found ${
    issues.length === 1 ? 'this issue' : `these ${issues.length} issues`
  }. Check whether it is so. Fix what is right, with a test that would have caught it; leave what is wrong, and say why in the commit message.`
  const parts = issues.map(issueText)
  let used = head.length
  let kept = 0
  for (const part of parts) {
    if (used + part.length + 2 > MOST_CONTEXT - 100) break
    used += part.length + 2
    kept++
  }
  const left = issues.length - kept
  const rest = left === 0 ? [] : [`${left} more ${left === 1 ? 'issue is' : 'issues are'} left out for lack of room.`]
  return [head, ...parts.slice(0, kept), ...rest].join('\n\n')
}

function issueText(
  { title, description, severity, file_path, line_numbers, outside_diff }: ReviewIssueView,
  at: number,
) {
  const lines = linesText(line_numbers)
  const where = `${codeSpan(file_path, 300)}${lines === '' ? '' : `, ${line_numbers.length === 1 ? 'line' : 'lines'} ${lines}`}`
  return `## ${at + 1}. ${oneLine(title)}

Severity ${severity}, in ${where}${outside_diff ? ', outside of the reviewed change' : ''}.

${fenced(description, MOST_DESCRIPTION)}`
}
