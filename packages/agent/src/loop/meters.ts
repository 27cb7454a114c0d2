import { BudgetWarnings } from '@beadloom/core/context/budget-warnings.ts'
import { ContextMeter } from '@beadloom/core/context/context-meter.ts'
import { DEFAULT_WINDOW } from '@beadloom/core/context/model-windows.ts'
import type { TokenTracker } from '@beadloom/core/context/token-tracker.ts'
import type { ModelAnswer } from './model-call.ts'

/** The limits of a loop. */
export type LoopBudget = {
  /** The model's context window in tokens; absent: not known. */
  windowTokens?: number | undefined
  /** Counts the tokens that it spends. */
  spent: TokenTracker
  /** Whether it ends when the budget is used up. Otherwise the gateway refuses or holds the next call. */
  endsWithoutTokens?: boolean
  /** Percent of the first warning. Default: 70. */
  warningThreshold?: number | undefined
  /** Called at each warning about spent tokens; false ends the loop, with the work done so far. */
  onBudgetThreshold?: ((used: number, budget: number) => Promise<boolean>) | undefined
}

export type HeardUse = { input: number; output: number; contextTokens: number; estimated?: true }

/** The two meters of a loop: how full its context is, and how much it has spent. */
export class Meters {
  readonly context: ContextMeter
  readonly spent: TokenTracker
  readonly contextWarnings: BudgetWarnings
  readonly spentWarnings: BudgetWarnings

  constructor({ windowTokens = DEFAULT_WINDOW, spent, warningThreshold }: LoopBudget) {
    this.context = new ContextMeter(windowTokens)
    this.spent = spent
    this.contextWarnings = new BudgetWarnings(warningThreshold)
    this.spentWarnings = new BudgetWarnings(warningThreshold)
  }

  /**
   * Counts an answered call.
   *
   * @param asked characters of its question, with tools
   * @returns the tokens used, estimated if the model does not count, and how full the context is with them
   */
  heard({ usage, text, calls }: ModelAnswer, asked: number): HeardUse {
    const answered = calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, text.length)
    const before = this.context.used(asked)
    this.context.heard(usage, asked, answered)
    const contextTokens = this.context.used(asked + answered)
    const { input, output } = usage ?? { input: before, output: Math.max(0, contextTokens - before) }
    this.spent.add(input + output)
    return { input, output, contextTokens, ...(usage === null && { estimated: true }) }
  }

  /** Call it when the conversation begins anew. */
  begin(): void {
    this.context.begin()
    this.contextWarnings.begin()
  }
}
