import type { SessionId } from '@beadloom/core/ids.ts'
import { usedUp, type UsedUp } from '@beadloom/core/execution/token-budget.ts'
import { allTokens, type TokenUse } from '@beadloom/core/execution/token-use.ts'
import type { RunContext } from './run-context.ts'

const NOTHING: TokenUse = { input: 0, output: 0 }

/** The limit that this session has reached, by what is stored; null: it may ask again. */
export function limitReached({ deps, execution, project, settings }: RunContext, session: SessionId): UsedUp | null {
  const { store, clock } = deps
  const { maxTokensPerSession, maxTokens, maxTokensPerDay } = settings.limits
  return usedUp(
    { session: maxTokensPerSession, execution: maxTokens, day: maxTokensPerDay },
    {
      session: allTokens(store.session(session)?.tokens ?? NOTHING),
      execution: allTokens(store.execution(execution.id)?.tokens ?? NOTHING),
      day: maxTokensPerDay === null ? 0 : allTokens(store.tokensOfDay(project.id, clock.now())),
    },
  )
}
