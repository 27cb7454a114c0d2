import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'

/** Props for the details of a row. */
export type FactsProps = {
  plan: PlanView
  phases: PhaseView[]
  execution: ExecutionView | null
  bead: BeadView
  /** The reason why the bead cannot run now. */
  refusal: string | null
  /** Goes to a row of the tree. */
  onChoose: (key: string) => void
}
