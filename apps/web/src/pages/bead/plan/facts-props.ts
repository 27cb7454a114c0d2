import type { BeadView, ExecutionView } from '@beadloom/core/api/api.ts'
import type { PhaseView } from '@beadloom/core/api/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plan-api.ts'

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
