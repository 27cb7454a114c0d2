import { percentOf, recommendationAt, type TokenTracker } from '@beadloom/core/context/token-tracker.ts'
import { z } from 'zod/mini'
import { defineTool, type TokenView } from './tool.ts'

export const checkTokenBudget = defineTool({
  name: 'check_token_budget',
  description:
    'Check remaining context budget. Use this to decide whether to spawn a sub-agent or summarize. The numbers are those of your context; "spent" has all tokens of this session and its limit (null: none).',
  input: z.strictObject({}),
  readOnly: true,
  run: async (_, { tokens }) => ({ ok: true, text: JSON.stringify(budgetOf(tokens)) }),
})

/**
 * The tighter of the two limits decides the recommendation. A sub-agent has a context of its own but spends the same
 * tokens: it helps when the context is full, and never when a limit is nearly spent.
 */
function budgetOf({ context, spent, canSpawn }: TokenView) {
  const { budget, used } = context()
  const percent = percentOf(used, budget)
  const isContext = percent > spent.usagePercent
  const advice = isContext ? recommendationAt(percent) : spent.getRecommendation()
  return {
    ...numbers({ budget, used, remaining: budget - used }),
    recommendation: advice === 'spawn_subagent' && !(isContext && canSpawn()) ? 'summarize' : advice,
    spent: Number.isFinite(spent.budget)
      ? numbers(spent)
      : { budget: null, used: spent.used, remaining: null, percentUsed: null },
  }
}

const numbers = ({ budget, used, remaining }: Pick<TokenTracker, 'budget' | 'used' | 'remaining'>) => ({
  budget,
  used,
  remaining,
  percentUsed: Math.round(percentOf(used, budget) * 10) / 10,
})
