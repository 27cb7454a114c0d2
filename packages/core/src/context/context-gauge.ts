import { percentOf } from './token-tracker.ts'

/**
 * The purpose of a model call, as far as its request shows it: the agent's own work; the same with a new beginning; the
 * summary with which it will shorten its conversation; or something beside it, such as a title, or a sub-agent's call,
 * which has another context.
 */
export const callParts = ['work', 'anew', 'summary', 'beside'] as const
export type CallPart = (typeof callParts)[number]

/**
 * A session's context usage, in tokens. `peak`: its highest fill. `compactions`: the number of times that it was
 * shortened.
 */
export type SessionContext = { tokens: number; window: number; peak: number; compactions: number }

/** The size of a shortened conversation, before and after, in tokens. */
export type Compaction = { before: number; after: number; window: number }

/**
 * A conversation smaller than this part of the previous one is another one, not the same with a few shortened results.
 */
const ANOTHER = 0.7
/** After this many smaller ones in a row, the larger one is not coming back. */
const SMALLER_IN_A_ROW = 4

/**
 * Follows the context of one session through its calls. Agents make calls other than their work, and not all of them
 * are recognisable by their request: a conversation that is suddenly much smaller counts only once it stays small, or
 * if the agent has asked for a summary before.
 */
export class ContextGauge {
  #context: SessionContext | null
  #summaryAt: number | null = null
  #smaller = 0

  /** @param known the same session's context, from an earlier server */
  constructor(known: SessionContext | null = null) {
    this.#context = known
  }

  /** Null: no call of its own work yet. */
  get context(): SessionContext | null {
    return this.#context
  }

  /**
   * Notes an answered call.
   *
   * @param tokens question and answer together
   * @param window that of the model that answered
   * @returns the compaction, if the agent has shortened its conversation; else null
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

/** From 0 to 100; more means that the window is larger than assumed. */
export const percentFull = ({ tokens, window }: Pick<SessionContext, 'tokens' | 'window'>): number =>
  Math.min(100, Math.round(percentOf(tokens, window)))
