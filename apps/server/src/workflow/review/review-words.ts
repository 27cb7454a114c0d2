import type { Execution, ExecutionEnd, TimeoutReason } from '@beadloom/core/execution/execution.ts'
import { askAgain, describeFailure } from '@beadloom/core/execution/describe-failure.ts'
import type { BeadId } from '@beadloom/core/ids.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import { withFullStop } from '../../execution/ends.ts'

/** The end of a review, in words that speak of a review: nothing of it was work, and no bead is run again for it. */
export function wordedForReview({ bead }: Execution, end: ExecutionEnd): ExecutionEnd {
  const again = askAgain(reviewCommand(bead))
  switch (end.state) {
    case 'FAILED':
      if (!end.failure) return end
      return { ...end, detail: `${describeFailure(end.failure.what, again)}${end.failure.more}` }
    case 'BLOCKED':
      return {
        ...end,
        detail: `The reviewer stopped: ${withFullStop(end.blockedReason)} Then ${again}.`,
      }
    case 'TIMEOUT':
      return {
        ...end,
        detail: `${withFullStop(end.detail)} Raise ${limitOf[end.reason]} in beadloom.json, or ${again}.`,
      }
    default:
      return end
  }
}

const limitOf: Record<TimeoutReason, string> = {
  wall_clock: '"limits.executionTimeoutSeconds"',
  silence: '"limits.inactivityTimeoutSeconds"',
}

/** Asks for another review of the same. */
const reviewCommand = (bead: BeadId): string =>
  bead === WORK_BRANCH_BEAD ? 'beadloom review' : `beadloom review ${bead}`
