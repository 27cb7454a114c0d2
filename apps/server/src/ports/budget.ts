import type { LimitState } from '@beadloom/core/budget/limit-states.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { SpentBy } from './store/budgets.ts'

/** The spender. A part that is null has no limits. */
export type Spender = {
  session: SessionId | null
  execution: ExecutionId | null
  bead: BeadId | null
  project: ProjectId
}

export type LimitsOf = { limits: Partial<ProjectSettings['limits']> }

/** The limits of tokens and money, for those who ask and grant. */
export interface BudgetWatch {
  /** ISO 4217. */
  readonly currency: string
  /** Every limit that covers the spender, the narrowest first, with its scope. */
  covering(of: Spender, settings: LimitsOf): { state: LimitState; by: SpentBy }[]
  /** The narrowest limit that is reached; null: the next call may be made. */
  reached(of: Spender, settings: LimitsOf): LimitState | null
  /** The limits of all projects together. */
  ofServer(): LimitState[]
  /** More was granted: the waiting executions look again. */
  nudge(): void
}
