import type { BudgetState } from '../../budget/budget-states.ts'
import type { BudgetWait } from '../../budget/wait.ts'
import type { BudgetScope, BudgetUnit } from '../../budget/scopes.ts'

/** Money is in millionths of the currency. `text` tells people how much is used. */
export type LimitView = BudgetState & { near: boolean; reached: boolean; text: string }

/** An execution that waits for a person at a limit. `text`: which limit, and until when. */
export type BudgetQuestion = { execution: string; project: string; bead: string; wait: BudgetWait; text: string }

/** `server`: the limits of all projects together. */
export type BudgetsView = { items: BudgetQuestion[]; server: LimitView[]; currency: string }

/** A person's grant: the amount by which a limit was raised. */
export type GrantView = { id: number; at: number; scope: BudgetScope; unit: BudgetUnit; amount: number }

/** The limits that cover an execution, the narrowest first, and people's grants for it. */
export type GrantsView = { items: GrantView[]; limits: LimitView[]; currency: string }
