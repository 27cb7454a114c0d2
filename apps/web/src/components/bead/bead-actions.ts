import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { refusalToQueue } from '@beadloom/core/dispatch/refusal-to-queue.ts'
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
  const live = execution && !isTerminal(execution.state) ? (execution.state === 'QUEUED' ? 'queued' : 'running') : null
  const { id, status, reason, reminderOf = null } = card
  const notWork = reason?.code === 'not_work' ? reason.text : null
  const refusal = refusalToQueue('it', id, { status, live, notWork, reminderOf })
  if (refusal !== null) return refusal.text
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

/** The reason why nothing can be said to its agent; null: something can. */
export function sayRefusal(execution: ExecutionView | null): string | null {
  const refused = refusalOf('runner')
  if (refused !== null) return refused
  if (execution?.state !== 'RUNNING') return 'nothing is running'
  return execution.cancelRequestedAt === null ? null : 'it is being stopped'
}

/** The reason why it can be neither paused nor resumed; null: it can. */
export function pauseRefusal(execution: ExecutionView | null): string | null {
  const refused = sayRefusal(execution)
  if (refused !== null) return refused
  const { resumed, question } = execution?.paused ?? {}
  if (resumed) return 'it continues as soon as a slot is free'
  return question ? 'it waits for your answer' : null
}
