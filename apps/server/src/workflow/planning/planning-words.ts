import type { Execution, ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import { describeFailure } from '@beadloom/core/execution/describe-failure.ts'
import { withFullStop } from '../../execution/ends.ts'

/** The end of planning, in words that speak of a plan: nothing of it was work. */
export function wordedForPlanning({ bead }: Execution, end: ExecutionEnd): ExecutionEnd {
  const again = `plan it again: beadloom run ${bead} --planning always`
  switch (end.state) {
    case 'FAILED':
      if (!end.failure) return end
      return { ...end, detail: `${describeFailure(end.failure.what, again)}${end.failure.more}` }
    case 'BLOCKED':
      return {
        ...end,
        detail: `The architect stopped: ${withFullStop(end.blockedReason)} Answer it with a note: beadloom run ${bead} --note "…".`,
      }
    case 'TIMEOUT':
      return { ...end, detail: `${withFullStop(end.detail)} To ${again}.` }
    default:
      return end
  }
}
