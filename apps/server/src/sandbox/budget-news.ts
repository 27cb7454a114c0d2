import { comeNear, limitText, unpricedText, type Spent } from '@beadloom/core/budget/limit-states.ts'
import { DEFAULT_WARN_AT } from '@beadloom/core/budget/limits.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import type { Spender } from '../ports/budget.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** What people are told of limits while a session spends. */
export class BudgetNews {
  readonly #live: LiveExecution
  readonly #session: SessionId
  /** Models that were told of. */
  readonly #unpriced = new Set<string>()

  constructor(live: LiveExecution, session: SessionId) {
    this.#live = live
    this.#session = session
  }

  /** Before a call is counted: each limit that it brings near is told once, and each model, and each tool (`ran`), that no limit of money sees. */
  beforeCall(of: Spender, call: Spent, model: string, ran: readonly string[] = []): void {
    const { budget, store, recorder } = this.#live.deps
    const { id, settings } = this.#live
    const percent = settings.limits.warnAtPercent ?? DEFAULT_WARN_AT
    for (const near of comeNear(budget.states(of, settings), call, percent)) {
      const text = limitText(near, budget.currency)
      void store.addEvent(id, this.#session, 'budget_near', { ...near, text })
      recorder.note(this.#session, text)
    }
    if (!budget.limitsMoney(settings)) return
    for (const name of [...(call.unpriced === 0 ? [] : [model]), ...ran]) {
      if (this.#unpriced.has(name)) continue
      this.#unpriced.add(name)
      const text = unpricedText(name)
      void store.addEvent(id, this.#session, 'budget_unpriced', { model: name, text })
      recorder.note(this.#session, text)
    }
  }
}
