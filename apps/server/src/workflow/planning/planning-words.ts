import type { Execution, ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { wordedForAnswering } from '../answering.ts'

/** The end of planning, in words about a plan: none of it was work. */
export function wordedForPlanning({ bead }: Execution, end: ExecutionEnd): ExecutionEnd {
  const again = `plan it again: beadloom run ${bead} --planning always`
  return wordedForAnswering(end, {
    again,
    blocked: (reason) => `The architect stopped: ${reason} Answer it with a note: beadloom run ${bead} --note "…".`,
    timeout: () => `To ${again}.`,
  })
}
