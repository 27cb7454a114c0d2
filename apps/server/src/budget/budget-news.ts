import { comeNear, limitText, unpricedText, type Spent } from '@beadloom/core/budget/budget-states.ts'
import { DEFAULT_WARN_AT } from '@beadloom/core/budget/budget-settings.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Spender } from '@beadloom/core/budget/scopes.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** Tells people about limits while a session spends. */
export class BudgetNews {
  readonly #live: LiveExecution
  readonly #session: SessionId
  /** Models and tools that people have been told about. */
  readonly #unpriced = new Set<string>()

  constructor(live: LiveExecution, session: SessionId) {
    this.#live = live
    this.#session = session
  }

  /**
   * Call it before a call is counted. Tells once about each limit that the call brings near, and about each model and
   * tool (`ran`) that limits of money do not cover.
   */
  beforeCall(of: Spender, call: Spent, model: string, ran: readonly string[] = []): void {
    const { budget, store, recorder } = this.#live.deps
    const { id, settings } = this.#live
    const percent = settings.limits.warnAtPercent ?? DEFAULT_WARN_AT
    for (const near of comeNear(budget.states(of, settings), call, percent)) {
      const text = limitText(near, budget.currency)
      void store.addEvent(id, this.#session, 'budget_near', { ...near, text })
      recorder.note(this.#session, text)
    }
    if (!budget.hasMoneyBudget(settings)) return
    for (const name of [...(call.unpriced === 0 ? [] : [model]), ...ran]) {
      if (this.#unpriced.has(name)) continue
      this.#unpriced.add(name)
      const text = unpricedText(name)
      void store.addEvent(id, this.#session, 'budget_unpriced', { model: name, text })
      recorder.note(this.#session, text)
    }
  }
}
