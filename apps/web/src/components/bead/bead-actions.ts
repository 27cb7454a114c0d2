import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { allowedFrom } from '@beadloom/core/records/bead.ts'
import { canCancel, isTerminal } from '@beadloom/core/records/execution.ts'
import { refusalOf } from '../../ui/allowed.ts'

/** The reason why a bead cannot be queued now; null: it can. The server decides again. */
export function runRefusal(
  card: BeadCard,
  execution: ExecutionView | null,
  project: ProjectView | undefined,
): string | null {
  const refused = refusalOf('runner')
  if (refused !== null) return refused
  if (execution && !isTerminal(execution.state))
    return execution.state === 'QUEUED' ? 'it is already queued' : 'it is already running'
  const from: readonly string[] = allowedFrom.started
  if (!from.includes(card.status)) return 'it is done; reopen it first'
  if (card.reason?.code === 'not_work') return card.reason.text
  if (card.reminderOf !== undefined) return `it is only a reminder; run ${card.reminderOf} instead`
  if (project?.problem) return project.problem
  return null
}

/** The reason why there is nothing to cancel; null: there is. */
export function cancelRefusal(execution: ExecutionView | null): string | null {
  const refused = refusalOf('runner')
  if (refused !== null) return refused
  if (!execution || !canCancel(execution.state)) return 'nothing is running'
  if (execution.cancelRequestedAt !== null) return 'it is being stopped'
  return null
}
