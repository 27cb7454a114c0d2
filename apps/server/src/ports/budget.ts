import type { BudgetState, Spent } from '@beadloom/core/budget/budget-states.ts'
import type { SpentBy, Spender } from '@beadloom/core/budget/scopes.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'

export type HasLimits = { limits: Partial<ProjectSettings['limits']> }

/** The limits of tokens and money, for those who spend, ask and grant. */
export interface BudgetWatch {
  /** ISO 4217. */
  readonly currency: string
  /** Every limit that covers the spender, the narrowest first, with its scope. */
  covering(of: Spender, settings: HasLimits): { state: BudgetState; by: SpentBy }[]
  /** The same without their scopes. */
  states(of: Spender, settings: HasLimits): BudgetState[]
  /** The narrowest limit that is reached; null: the next call may be made. */
  reached(of: Spender, settings: HasLimits): BudgetState | null
  /** The limits of all projects together. */
  ofServer(): BudgetState[]
  hasMoneyBudget(settings: HasLimits): boolean
  /**
   * Counts use that is being stored: it counts from this moment, also while the database cannot take it.
   *
   * @param stored settles once it is stored, in the same turn of the loop if nothing is in the way
   */
  count(of: Spender, spent: Spent, stored: void | Promise<void>): void
}
