import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { Store } from '../../ports/store.ts'
import { phaseHistory, type RowsRead } from '../../workflow/phases/phase-history.ts'
import { activityOf, phaseStates, sessionsOf, subtaskViews } from './phase-states.ts'

/**
 * The state of an execution's plan for cards and lists of sessions; empty if it has no plan. It is part of every view
 * of such an execution, so it reads only the last of the reviewers' answers, and no row twice.
 */
export function planned(
  store: Store,
  execution: Execution,
  read: Required<RowsRead>,
): Pick<ExecutionView, 'progress' | 'inPhases'> {
  const history = phaseHistory(store, execution, read)
  const phases = history === null ? [] : phaseStates(execution, history)
  const now = phases.find(({ status }) => status !== 'completed') ?? phases.at(-1)
  if (history === null || now === undefined) return {}
  const subtasks = subtaskViews(history, now, read.sessions)
  return {
    progress: {
      phase: now.number,
      of: phases.length,
      status: now.status,
      activity: activityOf(history, now),
      attempt: now.attempt,
      done: subtasks.filter((one) => one.status === 'completed').length,
      subtasks: subtasks.length,
    },
    inPhases: phases.flatMap((phase) =>
      sessionsOf(history, phase, read.sessions).map((one) => ({ ...one, phase: phase.number })),
    ),
  }
}
