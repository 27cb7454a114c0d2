import { contextWarning, HANDOVER_AT, inWords, spentWarning } from '@beadloom/core/context/budget-warnings.ts'
import { handOver } from './handover.ts'
import type { Loop } from './loop.ts'
import { hasSpawn, questionLength, toolCharacters } from './offered-tools.ts'

/** Percent of the window. If the task alone fills a fresh context this far, it would be handed over at every step. */
const FULL_BY_ITS_TASK = 60

/**
 * Before each call, warns the agent about its tokens, once for each threshold, and hands over a nearly full context. A
 * warning goes into the next call only. False: it is out of tokens, and ends.
 */
export async function watchBudget(loop: Loop, step: number): Promise<boolean> {
  const { budget, meters } = loop
  if (budget.endsWithoutTokens && meters.spent.remaining <= 0) return false
  if (!(await watchSpent(loop))) return false
  await watchContext(loop, step)
  return true
}

async function watchSpent(loop: Loop): Promise<boolean> {
  const { budget, meters, record } = loop
  const { spent } = meters
  const reached = meters.spentWarnings.reached(spent.usagePercent)
  if (reached === null) return true
  const text = `${reached}% of the token budget is used: ${inWords(spent.used)} of ${inWords(spent.budget)}`
  await record.write({ type: 'warning', text })
  loop.notices.push(spentWarning(reached, spent.used, spent.budget, loop.order.onLimit === 'ask'))
  return (await budget.onBudgetThreshold?.(spent.used, spent.budget)) ?? true
}

async function watchContext(loop: Loop, step: number): Promise<void> {
  const { meters, talk, record, role } = loop
  const { context } = meters
  const asked = questionLength(loop)
  const percent = context.percent(asked)
  const reached = meters.contextWarnings.reached(percent)
  if (reached === null && percent < HANDOVER_AT) return
  if (reached !== null) {
    const used = `${inWords(context.used(asked))} of ${inWords(context.window)} tokens`
    await record.write({ type: 'warning', text: `the context is ${Math.round(percent)}% full (${used})` })
  }
  const ofTask = context.percent(talk.startLength + toolCharacters(role.tools()))
  if (percent >= HANDOVER_AT && !talk.isFresh && ofTask < FULL_BY_ITS_TASK) return handOver(loop, `${step}.h`)
  if (reached !== null) loop.notices.push(contextWarning(reached, hasSpawn(role.tools())))
}
