import { assertNever } from '@beadloom/core/text/assert-never.ts'
import { durationText } from '@beadloom/core/text/duration.ts'
import type { Execution, ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { failed } from '../execution/ends.ts'
import type { StopReason } from '../execution/stop.ts'

type Stopped = {
  execution: Pick<Execution, 'attempt' | 'maxAttempts'>
  limits: Pick<ProjectSettings['limits'], 'executionTimeoutMs' | 'inactivityTimeoutMs'>
  /** The part of a plan that was not done, as a sentence with a space before it; '' for nothing. */
  notDone: string
}

/** The end of an execution that was stopped from outside, whatever its steps threw meanwhile. */
export function endOfStop(stopped: StopReason, { execution, limits, notDone }: Stopped): ExecutionEnd {
  switch (stopped.stop) {
    case 'cancelled':
      return { state: 'CANCELLED', detail: 'You stopped it.' }
    case 'pause_over':
      return {
        state: 'CANCELLED',
        detail: `It was paused for ${durationText(stopped.pausedMs)} and nobody resumed it, so it was stopped.`,
      }
    case 'budget':
      return withMore(failed({ kind: 'budget_exhausted', limit: stopped.limit }), notDone)
    case 'unanswered':
      return withMore(failed({ kind: 'model_unanswered', detail: stopped.problem }), notDone)
    case 'detach':
      return failed({ kind: 'server_restarted' })
    case 'timeout': {
      const { reason } = stopped
      const { attempt, maxAttempts } = execution
      const limit = durationText(reason === 'silence' ? limits.inactivityTimeoutMs : limits.executionTimeoutMs)
      const what = reason === 'silence' ? `There was no output for ${limit}` : `It reached its time limit of ${limit}`
      return { state: 'TIMEOUT', reason, detail: `${what} (attempt ${attempt} of ${maxAttempts}).${notDone}` }
    }
    default:
      return assertNever(stopped)
  }
}

/** Adds more after the first line: a digest may be below that. */
export function withMore(end: ExecutionEnd, more: string): ExecutionEnd {
  const [sentence = '', ...below] = end.detail.split('\n')
  return { ...end, detail: [`${sentence}${more}`, ...below].join('\n') }
}
