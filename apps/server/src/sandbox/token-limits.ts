import type { SessionId } from '@beadloom/core/ids.ts'
import { usedUpOf } from '@beadloom/core/budget/limit-states.ts'
import type { UsedUp } from '@beadloom/core/execution/token-budget.ts'
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

/** The narrowest limit that this session has reached, by what is stored and what waits to be; null: it may ask again. */
export function limitReached(live: LiveExecution, session: SessionId): UsedUp | null {
  const { budget } = live.deps
  const reached = budget.reached(spenderOf(live, session), live.settings)
  return reached && usedUpOf(reached, budget.currency)
}

/**
 * Tokens that are left of the narrowest limit as a session begins, as its agent is told; null: there is none. Never less than
 * nothing. Where people are asked at a limit, it is none of the agent's: only what it is warned of.
 */
export function tokensLeft(live: LiveExecution, session: SessionId): number | null {
  const left = live.deps.budget
    .states(spenderOf(live, session), live.settings)
    .flatMap(({ unit, limit, used }) => (unit === 'tokens' ? [limit - used] : []))
  return left.length === 0 ? null : Math.max(0, Math.min(...left))
}
