import type { Refused } from '@beadloom/core/records/bead.ts'
import type { Raise } from '@beadloom/core/budget/grants.ts'
import type { Spent } from '@beadloom/core/budget/budget-states.ts'
import type { BudgetWait } from '@beadloom/core/budget/wait.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { BudgetScope, BudgetUnit, SpentBy } from '@beadloom/core/budget/scopes.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'

/** A row of a grant by a person; money in millionths of the currency. */
export type GrantRow = { id: number; scope: BudgetScope; unit: BudgetUnit; amount: number; at: number }

/** Use that counts against limits, people's grants, and the executions that wait for them. */
export interface BudgetStore {
  /** The use since then: later days count if the clock jumped back. */
  spent(by: SpentBy): Spent
  granted(by: SpentBy): Record<BudgetUnit, number>
  /** It waits at a limit; null: no more. An event tells when the wait begins and when the execution continues. */
  noteBudgetWait(execution: ExecutionId, wait: BudgetWait | null, how?: 'continues' | 'over'): void
  /** Refused if it has ended. All raises are in one transaction. */
  grantBudget(execution: ExecutionId, raises: readonly { by: SpentBy; raise: Raise }[]): Execution | Refused
  /** The grants to an execution, oldest first. */
  grantsOf(execution: ExecutionId): GrantRow[]
}
