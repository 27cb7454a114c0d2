import type { GrantBudget } from '@beadloom/core/api/budgets/budget-requests.ts'
import { LEAST_MONEY, MOST_MONEY, MOST_TOKENS } from '@beadloom/core/budget/scopes.ts'
import type { BudgetWait } from '@beadloom/core/budget/wait.ts'

/** The default of a grant field: as much again as the limit was. */
export const usualGrant = ({ unit, limit }: Pick<BudgetWait, 'unit' | 'limit'>): string =>
  String(unit === 'tokens' ? limit : limit / 1e6)

/** A typed grant, with or without thousands separators; otherwise what is wrong with it. */
export function readGrant(typed: string, unit: BudgetWait['unit']): GrantBudget | { wrong: string } {
  const text = typed.replace(/[\s,_]/g, '')
  if (unit === 'tokens') {
    const tokens = /^\d{1,15}$/.test(text) ? Number(text) : 0
    if (tokens >= 1 && tokens <= MOST_TOKENS) return { tokens }
    return { wrong: `Enter a whole number of tokens, 1 to ${MOST_TOKENS.toLocaleString('en-US')}.` }
  }
  const money = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 0
  if (money >= LEAST_MONEY && money <= MOST_MONEY) return { money }
  return { wrong: `Enter an amount such as 2.50, at most ${MOST_MONEY.toLocaleString('en-US')}.` }
}
