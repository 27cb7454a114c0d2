import { percentOf } from './token-tracker.ts'

/**
 * What a model call is for, as far as a request shows it: the agent's own work; the same where it says that it begins anew;
 * the summary with which it is about to shorten its conversation; or something beside it, such as a title, or the call of a sub-agent, whose context is another.
 */
export const callParts = ['work', 'anew', 'summary', 'beside'] as const
export type CallPart = (typeof callParts)[number]

/** How full a session's context is, in tokens. `peak`: the fullest it has been. `compactions`: how often it was shortened. */
export type SessionContext = { tokens: number; window: number; peak: number; compactions: number }

/** What a shortened conversation was, and is, in tokens. */
export type Compaction = { before: number; after: number; window: number }

/** A conversation of less than this part is not the one before with a few results shortened. */
const ANOTHER = 0.7
/** So many smaller ones in a row, and the larger one is not coming back. */
const SMALLER_IN_A_ROW = 4

/**
 * Follows the context of one session through its calls. Agents make others beside their work, and not all of them can be
 * told by their request: a conversation that is suddenly much smaller counts only once it has stayed, or where the agent has
 * asked for a summary before.
 */
export class ContextGauge {
  #context: SessionContext | null
  #summaryAt: number | null = null
  #smaller = 0

  /** @param known of the same session, from a server before this one */
  constructor(known: SessionContext | null = null) {
    this.#context = known
  }

  /** Null: nothing of its work was heard yet. */
  get context(): SessionContext | null {
    return this.#context
  }

  /**
   * A call was answered.
   *
   * @param tokens of question and answer together
   * @param window of the model that answered
   * @returns what the agent has shortened its conversation by, where it has
   */
  heard(part: CallPart, tokens: number, window: number): Compaction | null {
    const before = this.#context?.tokens ?? 0
    if (part === 'beside') return null
    if (part === 'summary') {
      this.#summaryAt = Math.max(before, tokens)
      return null
    }
    if (part === 'anew') {
      this.#summaryAt = null
      return this.#take(tokens, window)
    }
    const summaryAt = this.#summaryAt
    this.#summaryAt = null
    if (tokens >= before * ANOTHER && summaryAt === null) return this.#take(tokens, window)
    if (summaryAt !== null) {
      const compacted = tokens < summaryAt * ANOTHER
      this.#take(tokens, window, summaryAt, compacted)
      return compacted ? { before: summaryAt, after: tokens, window } : null
    }
    this.#smaller += 1
    return this.#smaller < SMALLER_IN_A_ROW ? null : this.#take(tokens, window)
  }

  #take(tokens: number, window: number, peak = tokens, compacted = false): null {
    this.#smaller = 0
    const { peak: known = 0, compactions = 0 } = this.#context ?? {}
    this.#context = {
      tokens,
      window,
      peak: Math.max(known, peak, tokens),
      compactions: compactions + (compacted ? 1 : 0),
    }
    return null
  }
}

/** From 0 to 100; more than that is a window that was thought to be smaller than it is. */
export const percentFull = ({ tokens, window }: Pick<SessionContext, 'tokens' | 'window'>): number =>
  Math.min(100, Math.round(percentOf(tokens, window)))
