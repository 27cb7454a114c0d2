import type { LimitState } from '../budget/limit-states.ts'
import type { BudgetWait } from '../budget/wait.ts'
import type { BudgetScope, BudgetUnit } from '../execution/token-budget.ts'

/** Money is in millionths of the currency. `text` says how much is used, for people. */
export type LimitView = LimitState & { near: boolean; reached: boolean; text: string }

/** An execution that waits for a person at a limit. `text`: where, and until when. */
export type BudgetQuestion = { execution: string; project: string; bead: string; wait: BudgetWait; text: string }

/** `server`: the limits of all projects together. */
export type BudgetsView = { items: BudgetQuestion[]; server: LimitView[]; currency: string }

/** What a person granted: how much a limit was raised. */
export type GrantView = { id: number; at: number; scope: BudgetScope; unit: BudgetUnit; amount: number }

/** The limits that cover an execution, the narrowest first, and what people have granted it. */
export type GrantsView = { items: GrantView[]; limits: LimitView[]; currency: string }
