import type { SessionId } from '@beadloom/core/ids.ts'
import { usedUp, type UsedUp } from '@beadloom/core/execution/token-budget.ts'
import { allTokens, type TokenUse } from '@beadloom/core/execution/token-use.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'

const NOTHING: TokenUse = { input: 0, output: 0 }

/**
 * The limit that this session has reached, by what is stored and what waits to be; null: it may ask again.
 *
 * @param waiting tokens of this session that the database could not take yet
 */
export function limitReached(live: LiveExecution, session: SessionId, waiting = 0): UsedUp | null {
  const { store, clock } = live.deps
  const { maxTokensPerSession, maxTokens, maxTokensPerDay } = live.settings.limits
  return usedUp(
    { session: maxTokensPerSession, execution: maxTokens, day: maxTokensPerDay },
    {
      session: waiting + allTokens(store.session(session)?.tokens ?? NOTHING),
      execution: waiting + allTokens(storedOf(live).tokens),
      day: maxTokensPerDay === null ? 0 : waiting + allTokens(store.tokensOfDay(live.project.id, clock.now())),
    },
  )
}
