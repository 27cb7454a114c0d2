/** What a limit is counted over: one session, one execution, or a project's calendar day (UTC). */
export const budgetScopes = ['session', 'execution', 'day'] as const
export type BudgetScope = (typeof budgetScopes)[number]

/** Tokens, input and output together; null: no limit. */
export type TokenLimits = Record<BudgetScope, number | null>
export type TokensUsed = Record<BudgetScope, number>

/** A limit that is reached. */
export type UsedUp = { scope: BudgetScope; limit: number }

/** The narrowest limit that is reached or passed, or null. */
export function usedUp(limits: TokenLimits, used: TokensUsed): UsedUp | null {
  for (const scope of budgetScopes) {
    const limit = limits[scope]
    if (limit !== null && used[scope] >= limit) return { scope, limit }
  }
  return null
}

/** The calendar day in UTC, `2026-11-22`: the same for every server and every clock's time zone. */
export const budgetDay = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** Milliseconds UTC at which the next day begins, with a fresh limit. */
export const nextBudgetDay = (now: number): number => {
  const day = 24 * 3_600_000
  return (Math.floor(now / day) + 1) * day
}

/** The settings by which people raise them. */
export const limitKeys: Record<BudgetScope, string> = {
  session: 'limits.maxTokensPerSession',
  execution: 'limits.maxTokens',
  day: 'limits.maxTokensPerDay',
}

const holders: Record<BudgetScope, string> = {
  session: 'this session',
  execution: 'this execution',
  day: "the project's day",
}

/** For the agent whose call is refused. */
export const toldToAgents = ({ scope }: UsedUp): string =>
  `the token budget of ${holders[scope]} is used up: no further call will be answered (people raise "${limitKeys[scope]}" in beadloom.json)`

/** What happened, and what to do, as a sentence for people. */
export function describeUsedUp({ scope, limit }: UsedUp): string {
  const tokens = `${limit.toLocaleString('en-US')} tokens`
  return scope === 'day'
    ? `The project has used its ${tokens} for today. The limit resets at midnight UTC; or raise "${limitKeys.day}" in beadloom.json.`
    : `All ${tokens} of ${holders[scope]} are used. Raise "${limitKeys[scope]}" in beadloom.json.`
}
