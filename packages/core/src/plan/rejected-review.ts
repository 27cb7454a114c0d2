import type { ExecutionView } from '../api/api.ts'
import type { SessionId } from '../ids.ts'

/**
 * Whether a session was a review that said no: after it its phase was done once more, or its execution ended for that. The
 * words of the review are with the phases; a list of sessions has only these.
 */
export function isRejectedReview(
  session: SessionId,
  { inPhases = [], reason }: Pick<ExecutionView, 'inPhases' | 'reason'>,
): boolean {
  const own = inPhases.find(({ id }) => id === session)
  if (own?.role !== 'review') return false
  const ofPhase = inPhases.filter(({ phase }) => phase === own.phase)
  // One before it in the same attempt gave no answer that could be used.
  const last = ofPhase.findLast((one) => one.role === 'review' && one.phaseAttempt === own.phaseAttempt)
  if (last !== own) return false
  const isNewest = inPhases.every((one) => one.phase <= own.phase) && ofPhase.at(-1)?.phaseAttempt === own.phaseAttempt
  return isNewest ? reason === 'phase_review_failed' : ofPhase.some((one) => one.phaseAttempt > own.phaseAttempt)
}
