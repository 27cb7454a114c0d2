import type { SessionId } from '@beadloom/core/ids.ts'
import {
  budgetScopes,
  usedUp,
  type TokenLimits,
  type TokensUsed,
  type UsedUp,
} from '@beadloom/core/execution/token-budget.ts'
import { allTokens, type TokenUse } from '@beadloom/core/execution/token-use.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'

const NOTHING: TokenUse = { input: 0, output: 0 }

/**
 * The limit that this session has reached, by what is stored and what waits to be; null: it may ask again.
 *
 * @param waiting tokens of this session that the database could not take yet
 */
export function limitReached(live: LiveExecution, session: SessionId, waiting = 0): UsedUp | null {
  const { limits, used } = countsOf(live, session, waiting)
  return usedUp(limits, used)
}

function countsOf(live: LiveExecution, session: SessionId, waiting: number): { limits: TokenLimits; used: TokensUsed } {
  const { store, clock } = live.deps
  const { maxTokensPerSession, maxTokens, maxTokensPerDay } = live.settings.limits
  return {
    limits: { session: maxTokensPerSession, execution: maxTokens, day: maxTokensPerDay },
    used: {
      session: waiting + allTokens(store.session(session)?.tokens ?? NOTHING),
      execution: waiting + allTokens(storedOf(live).tokens),
      day: maxTokensPerDay === null ? 0 : waiting + allTokens(store.tokensOfDay(live.project.id, clock.now())),
    },
  }
}

/** Tokens that are left of the narrowest limit as a session begins; null: there is none. Never less than nothing. */
export function tokensLeft(live: LiveExecution, session: SessionId): number | null {
  const { limits, used } = countsOf(live, session, 0)
  const left = budgetScopes.flatMap((scope) => (limits[scope] === null ? [] : [limits[scope] - used[scope]]))
  return left.length === 0 ? null : Math.max(0, Math.min(...left))
}
