/** The advice for an agent, by the used part of its budget. */
export type Recommendation = 'continue' | 'summarize' | 'spawn_subagent' | 'complete_now'

/** Percent of a budget at which the advice changes. */
const SUMMARIZE_AT = 50
const SPAWN_AT = 70
const COMPLETE_AT = 90

/** 0 for an empty or an unlimited budget. */
export const percentOf = (used: number, budget: number): number => (budget > 0 ? (used / budget) * 100 : 0)

/** @param percent the used part, 0 to 100 and more */
export function recommendationAt(percent: number): Recommendation {
  if (percent >= COMPLETE_AT) return 'complete_now'
  if (percent >= SPAWN_AT) return 'spawn_subagent'
  return percent >= SUMMARIZE_AT ? 'summarize' : 'continue'
}

/**
 * The tokens spent of a budget, which only grow. A sub-agent's tracker is part of its parent's: its tokens count there,
 * too, so nothing of agents that run at the same time is lost.
 */
export class TokenTracker {
  /** In tokens; `Infinity`: there is no limit. */
  readonly budget: number
  readonly #whole: TokenTracker | null
  #used = 0

  constructor(budget: number, whole: TokenTracker | null = null) {
    this.budget = budget
    this.#whole = whole
  }

  get used(): number {
    return this.#used
  }

  /** Negative once the budget is exceeded: the last call is never cut short. */
  get remaining(): number {
    const own = this.budget - this.#used
    return this.#whole ? Math.min(own, this.#whole.remaining) : own
  }

  get usagePercent(): number {
    return percentOf(this.#used, this.budget)
  }

  add(tokens: number): void {
    this.#used += tokens
    this.#whole?.add(tokens)
  }

  isAboveThreshold(percent = SPAWN_AT): boolean {
    return this.usagePercent >= percent
  }

  getRecommendation(): Recommendation {
    return recommendationAt(this.usagePercent)
  }

  /** The tracker of a sub-agent. It has at most `most` tokens, and never more than this one has left. */
  part(most = Infinity): TokenTracker {
    return new TokenTracker(Math.max(0, Math.min(most, this.remaining)), this)
  }
}
