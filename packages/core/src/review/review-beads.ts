import type { BeadDependency } from '../records/bead.ts'
import { codeSpan, fenced } from '../text/fenced.ts'
import { parseBeadId, type BeadId, type ExecutionId } from '../records/ids.ts'
import { oneLine } from '../text/one-line.ts'
import type { ReviewIssue } from './review.ts'

/**
 * Replaces the bead if an execution is about a project's whole work branch. It is on no board, is never worked on, and
 * is never in a tracker.
 */
export const WORK_BRANCH_BEAD: BeadId = parseBeadId('beadloom-work-branch')

/** If an issue was closed with this label, or for this reason, no later review files it again. */
export const DISMISSED = 'dismissed'
const LABELS = ['beadloom', 'review']
/** The beginning of an issue's description. An agent (the reviewer) wrote all of it. */
export const ISSUE_START = 'A review found this in '

export type IssueBead = {
  title: string
  description: string
  priority: number
  type: string
  labels: string[]
  dependencies: BeadDependency[]
}

/** Types that trackers know; anything else that a reviewer writes becomes a task. */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['bug', 'task', 'feature', 'chore'])

/** The bead for one issue of a review. `reviewed` null: the whole work branch was reviewed. */
export function issueBead(
  issue: ReviewIssue & { outside_diff: boolean },
  { reviewed, execution, to }: { reviewed: BeadId | null; execution: ExecutionId; to: string },
): IssueBead {
  const lines = issue.line_numbers.slice(0, 20).join(', ')
  const where = `${codeSpan(issue.file_path, 300)}${lines === '' ? '' : `, ${issue.line_numbers.length === 1 ? 'line' : 'lines'} ${lines}`}`
  const outside = issue.outside_diff ? '\n\nThis is outside the lines that the reviewed change touches.' : ''
  return {
    title: oneLine(issue.title),
    description: `${ISSUE_START}${where} (severity ${issue.severity}).${outside}

## What is wrong

${fenced(issue.description, 6000)}

## What to do now

Check whether this is true. If it is, fix it, with a test that would have caught it; if it is not, close this bead as "${DISMISSED}", and no later review files it again.

Review ${execution} of commit ${to}${reviewed === null ? '' : ` (bead ${codeSpan(reviewed, 128)})`}.`,
    priority: issue.priority,
    type: KNOWN_TYPES.has(issue.type) ? issue.type : 'task',
    labels: LABELS,
    dependencies: reviewed === null ? [] : [{ dependsOn: reviewed, type: 'discovered-from' }],
  }
}

/** Ids for the bead of an issue, best first; the same review gives the same ones. */
export function* issueBeadIds(prefix: string, execution: ExecutionId, number: number): Iterable<BeadId> {
  const short = prefix === '' || prefix.length > 100 ? 'bl' : prefix
  const token = execution.slice('ex-'.length)
  yield parseBeadId(`${short}-${token.slice(0, 6)}r${number}`)
  for (let more = 0; ; more++) yield parseBeadId(`${short}-${token}${more === 0 ? '' : `x${more}`}r${number}`)
}

/** Whether a bead was closed because nobody wants it. `raw`: the tracker's own record of it. */
export function wasDismissed(labels: readonly string[], raw: string | null): boolean {
  if (labels.some((label) => label.toLowerCase() === DISMISSED)) return true
  if (raw === null) return false
  try {
    const record = JSON.parse(raw) as { close_reason?: unknown }
    return typeof record.close_reason === 'string' && /\bdismiss(?:ed)?\b/i.test(record.close_reason)
  } catch {
    return false
  }
}
