import type { Execution, ExecutionEnd, TimeoutReason } from '@beadloom/core/records/execution.ts'
import { askAgain } from '@beadloom/core/execution/failure/describe-failure.ts'
import type { BeadId } from '@beadloom/core/records/ids.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import { wordedForAnswering } from '../answering.ts'

/** The end of a review, in words about a review: none of it was work, and no bead runs again for it. */
export function wordedForReview({ bead }: Execution, end: ExecutionEnd): ExecutionEnd {
  const again = askAgain(reviewCommand(bead))
  return wordedForAnswering(end, {
    again,
    blocked: (reason) => `The reviewer stopped: ${reason} Then ${again}.`,
    timeout: (reason) => `Raise ${limitOf[reason]} in beadloom.json, or ${again}.`,
  })
}

const limitOf: Record<TimeoutReason, string> = {
  wall_clock: '"limits.executionTimeoutSeconds"',
  silence: '"limits.inactivityTimeoutSeconds"',
}

/** The command for another review of the same. */
const reviewCommand = (bead: BeadId): string =>
  bead === WORK_BRANCH_BEAD ? 'beadloom review' : `beadloom review ${bead}`
