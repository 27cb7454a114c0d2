import type { SessionId } from '@beadloom/core/records/ids.ts'
import { usedUpOf } from '@beadloom/core/budget/limit-states.ts'
import type { UsedUp } from '@beadloom/core/budget/token-budget.ts'
import type { Spender } from '../ports/budget.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

export const spenderOf = (
  { id, project, bead }: LiveExecution,
  session: SessionId,
): Spender & { session: SessionId } => ({
  session,
  execution: id,
  project: project.id,
  bead: bead.id,
})

/** The narrowest limit that this session has reached, including use that is not stored yet; null: it may ask again. */
export function limitReached(live: LiveExecution, session: SessionId): UsedUp | null {
  const { budget } = live.deps
  const reached = budget.reached(spenderOf(live, session), live.settings)
  return reached && usedUpOf(reached, budget.currency)
}

/**
 * Tokens left of the narrowest limit when a session begins, for its agent; null: there is no limit. Never negative. If
 * people are asked at a limit, the agent does not end at it, and is only warned.
 */
export function tokensLeft(live: LiveExecution, session: SessionId): number | null {
  const left = live.deps.budget
    .states(spenderOf(live, session), live.settings)
    .flatMap(({ unit, limit, used }) => (unit === 'tokens' ? [limit - used] : []))
  return left.length === 0 ? null : Math.max(0, Math.min(...left))
}
