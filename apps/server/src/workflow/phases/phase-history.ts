import { subtasksByPhase } from '@beadloom/core/plan/plan-warnings.ts'
import type { PhaseHistory } from '@beadloom/core/plan/phase-step.ts'
import type { Plan } from '@beadloom/core/plan/plan.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'

/** The version of the plan by which this execution works. */
export function planOf(live: LiveExecution): Plan {
  const { planVersion } = storedOf(live)
  const row = live.deps.store.plan(live.project.id, live.bead.id, planVersion)
  if (!row) throw new Error(`version ${planVersion} of the plan of ${live.bead.id} is gone`)
  return row.plan
}

/** All that is stored about its phases. */
export function historyOf(live: LiveExecution): PhaseHistory {
  const { store } = live.deps
  const { id } = live
  return {
    plan: subtasksByPhase(planOf(live)),
    limit: live.settings.planning.maxParallelSubtasks,
    maxSessions: storedOf(live).maxSessions,
    answered: store.answeredSessions(id),
    phases: store.phases(id),
    rounds: store.rounds(id),
    sessions: store.phaseSessions(id),
    verifications: store.verifications(id),
    answers: store.answers(id),
  }
}
