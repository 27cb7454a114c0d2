import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { issuesPrompt } from './issue-prompt.ts'

/** The effect on one bead of sending the selected issues to an agent. */
export type SendStep = {
  bead: string
  /** Closed beads are reopened first, because a closed one does not run. */
  reopen: boolean
  /** The note for its agent; '' if the bead says everything. */
  context: string
  says: string
}
export type SendPlan = { steps: SendStep[]; /** Issues left out, and why. */ left: string[] }

type Known = { card: BeadCard | undefined; execution: ExecutionView | null }

/**
 * After a bead's review, the bead runs again on its branch, with the issues as a note. After a review of the work
 * branch there is no such bead, so each issue's own bead is queued.
 */
export function sendPlan(
  review: Pick<ReviewView, 'bead' | 'branch' | 'to'>,
  issues: readonly ReviewIssueView[],
  known: (bead: string) => Known,
): SendPlan {
  if (review.bead !== null) return planOfBead({ ...review, bead: review.bead }, issues, known(review.bead))
  const steps: SendStep[] = []
  const left: string[] = []
  for (const { bead, title } of issues) {
    if (bead === null) left.push(`“${title}” has no bead`)
    else if (isBusy(known(bead).execution)) left.push(`${bead} is already queued or running`)
    else if (known(bead).card?.status === 'done') left.push(`${bead} is done`)
    else if (steps.every((step) => step.bead !== bead))
      steps.push({ bead, reopen: false, context: '', says: `${bead} will be queued: “${title}”.` })
  }
  return { steps, left }
}

function planOfBead(
  review: { bead: string; branch: string; to: string },
  issues: readonly ReviewIssueView[],
  { card, execution }: Known,
): SendPlan {
  const { bead, branch } = review
  if (issues.length === 0) return { steps: [], left: [] }
  if (isBusy(execution)) return { steps: [], left: [`${bead} is already queued or running`] }
  const reopen = card?.status === 'done'
  const what = issues.length === 1 ? 'this issue' : `these ${issues.length} issues`
  const says = `${bead} will be ${reopen ? 'reopened and ' : ''}queued with ${what} as a note. Its agent continues from ${branch}; the checks run afterwards, and work that passes is merged.`
  return { steps: [{ bead, reopen, context: issuesPrompt(issues, review), says }], left: [] }
}

const isBusy = (execution: ExecutionView | null): boolean => execution !== null && !isTerminal(execution.state)
