import type { Loop } from './loop.ts'
import type { ModelAnswer } from './model-call.ts'

/**
 * Counts an answer, and records its tokens and the loop's total.
 *
 * @param asked characters of its question, with tools
 */
export async function recordUse({ order, meters, record }: Loop, answer: ModelAnswer, asked: number): Promise<void> {
  const use = meters.heard(answer, asked)
  const { spent, context } = meters
  await record.write({
    type: 'usage',
    model: order.model,
    ...use,
    cumulativeTokens: spent.used,
    remainingBudget: Number.isFinite(spent.remaining) ? spent.remaining : null,
    windowTokens: context.window,
  })
}
