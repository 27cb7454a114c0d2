import type { Execution } from '@beadloom/core/records/execution.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { usedUpOf } from '@beadloom/core/budget/budget-states.ts'
import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { Spender } from '@beadloom/core/budget/scopes.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** The spender of an execution's calls. Limits of sessions do not cover it if `session` is null. */
export const spenderOf = (
  { id, project, bead }: Pick<Execution, 'id' | 'project' | 'bead'>,
  session: SessionId | null,
): Spender => ({ session, execution: id, bead, project })

export const liveSpender = (
  { id, project, bead }: LiveExecution,
  session: SessionId,
): Spender & { session: SessionId } => ({
  ...spenderOf({ id, project: project.id, bead: bead.id }, session),
  session,
})

/** The narrowest limit that this session has reached, including use that is not stored yet; null: it may ask again. */
export function limitReached(live: LiveExecution, session: SessionId): UsedUp | null {
  const { budget } = live.deps
  const reached = budget.reached(liveSpender(live, session), live.settings)
  return reached && usedUpOf(reached, budget.currency)
}

/**
 * Tokens left of the narrowest limit when a session begins, for its agent; null: there is no limit. Never negative. If
 * people are asked at a limit, the agent does not end at it, and is only warned.
 */
export function tokensLeft(live: LiveExecution, session: SessionId): number | null {
  const left = live.deps.budget
    .states(liveSpender(live, session), live.settings)
    .flatMap(({ unit, limit, used }) => (unit === 'tokens' ? [limit - used] : []))
  return left.length === 0 ? null : Math.max(0, Math.min(...left))
}
