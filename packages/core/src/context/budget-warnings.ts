/** Percent of a budget at which an agent is warned, once each. */
const LATER = [80, 90] as const
const FIRST_WARNING = 70
/** Percent of a model's window at which an agent hands over to a fresh context. */
export const HANDOVER_AT = 90

/** Reports each threshold once. */
export class BudgetWarnings {
  readonly #thresholds: readonly number[]
  #told = 0

  constructor(first = FIRST_WARNING) {
    this.#thresholds = [first, ...LATER.filter((later) => later > first)]
  }

  /** The highest threshold that is newly reached; lower ones count as reported with it. Null: nothing new. */
  reached(percent: number): number | null {
    const reached = this.#thresholds.findLast((threshold) => percent >= threshold) ?? 0
    if (reached <= this.#told) return null
    this.#told = reached
    return reached
  }

  /** Starts again, because the measured context is a fresh one. */
  begin(): void {
    this.#told = 0
  }
}

/** For an agent, before its next call. `canSpawn`: it has the tool for it. */
export const contextWarning = (percent: number, canSpawn: boolean): string =>
  `⚠️ Context budget is ${percent}% used. Consider:\n${advice(canSpawn)}`

/**
 * The same for tokens spent, over all contexts of the session and its sub-agents: a further sub-agent would spend more.
 */
export const spentWarning = (percent: number, used: number, budget: number, asks: boolean): string =>
  `⚠️ Token budget is ${percent}% used: ${inWords(used)} of ${inWords(budget)} tokens. When it is used up, ${asks ? 'your next call waits until a person grants more' : 'no further call is answered'}. Consider:\n${advice(false)}`

const advice = (canSpawn: boolean): string =>
  [
    ...(canSpawn ? ['Spawning a sub-agent for remaining work'] : []),
    'Summarizing findings and completing',
    'Focusing only on the most critical remaining task',
  ]
    .map((line, at) => `${at + 1}. ${line}`)
    .join('\n')

/** A number of tokens for people and models: `12,345`. */
export const inWords = (tokens: number): string => Math.round(tokens).toLocaleString('en-US')
