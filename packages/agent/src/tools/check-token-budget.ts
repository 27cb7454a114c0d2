import { recommendationAt, recommendations, type Recommendation } from '@beadloom/core/tokens/token-tracker.ts'
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

/** The narrower of the two decides what is recommended. */
function budgetOf({ context, spent, canSpawn }: TokenView) {
  const { budget, used } = context()
  const percentUsed = budget > 0 ? (used / budget) * 100 : 0
  const advice = [recommendationAt(percentUsed), spent.getRecommendation()]
  const limited = Number.isFinite(spent.budget)
  return {
    ...numbers(budget, used, percentUsed),
    recommendation: possible(
      recommendations[Math.max(...advice.map((one) => recommendations.indexOf(one)))],
      canSpawn(),
    ),
    spent: limited
      ? { ...numbers(spent.budget, spent.used, spent.usagePercent), remaining: spent.remaining }
      : { budget: null, used: spent.used, remaining: null, percentUsed: null },
  }
}

const numbers = (budget: number, used: number, percentUsed: number) => ({
  budget,
  used,
  remaining: budget - used,
  percentUsed: Math.round(percentUsed * 10) / 10,
})

/** Who cannot have sub-agents is not told to. */
const possible = (advice: Recommendation | undefined, canSpawn: boolean): Recommendation =>
  advice === undefined ? 'continue' : advice === 'spawn_subagent' && !canSpawn ? 'summarize' : advice
