import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ChangeExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { parseDuration, typedDuration } from '@beadloom/core/text/duration.ts'

/** As typed; a model that is left empty stays as it is. */
export type ChangeDraft = { model: string; time: string }

const LONGEST_MS = 7 * 24 * 3_600_000

/**
 * The time limit in all, milliseconds, in whole seconds: its start is stored a moment after its deadline was computed.
 * Null: it has none yet.
 */
const limitOf = ({ startedAt, deadlineAt }: ExecutionView): number | null =>
  startedAt === null || deadlineAt === null ? null : Math.round((deadlineAt - startedAt) / 1000) * 1000

export function changeDraft(execution: ExecutionView): ChangeDraft {
  const limit = limitOf(execution)
  return { model: '', time: limit === null ? '' : typedDuration(limit) }
}

/** The changed fields, or a sentence about what is wrong; null: nothing has changed. */
export function changeIn(
  execution: ExecutionView,
  { model, time }: ChangeDraft,
): { change: ChangeExecution } | { problem: string } | null {
  const named = model.trim()
  const isNewTime = time.trim() !== changeDraft(execution).time
  const ms = isNewTime ? parseDuration(time) : null
  if (isNewTime && (ms === null || ms < 1000 || ms > LONGEST_MS))
    return { problem: 'The time limit is a time such as 90m or 8h, at most 7 days.' }
  if (named === '' && ms === null) return null
  return {
    change: {
      ...(named !== '' && { model: named }),
      ...(ms !== null && { executionTimeoutSeconds: Math.ceil(ms / 1000) }),
    },
  }
}
