import type { ExecutionView } from '../api/executions/execution-api.ts'
import type { SessionId } from '../records/ids.ts'

/**
 * Whether a session was a review that said no: after it, its phase was repeated, or its execution ended because of it.
 * The review itself is stored with the phases, which a list of sessions does not have.
 */
export function isRejectedReview(
  session: SessionId,
  { inPhases = [], reason }: Pick<ExecutionView, 'inPhases' | 'reason'>,
): boolean {
  const own = inPhases.find(({ id }) => id === session)
  if (own?.role !== 'review') return false
  const ofPhase = inPhases.filter(({ phase }) => phase === own.phase)
  // An earlier review in the same attempt gave no usable answer.
  const last = ofPhase.findLast((one) => one.role === 'review' && one.phaseAttempt === own.phaseAttempt)
  if (last !== own) return false
  const isNewest = inPhases.every((one) => one.phase <= own.phase) && ofPhase.at(-1)?.phaseAttempt === own.phaseAttempt
  return isNewest ? reason === 'phase_review_failed' : ofPhase.some((one) => one.phaseAttempt > own.phaseAttempt)
}
