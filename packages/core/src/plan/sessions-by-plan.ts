import type { Execution } from '../records/execution.ts'
import type { Subtask } from '../records/plan.ts'
import { MOST_FIXES, PHASE_ATTEMPTS } from './phase-step.ts'
import { phasesOf } from './phases.ts'

/**
 * The most attempts and sessions of work by a plan: each phase may have as many sessions as all of the work otherwise,
 * beside its subtasks', and an attempt for each of its rounds.
 */
export function sessionsByPlan(
  subtasks: readonly Pick<Subtask, 'id' | 'dependsOn'>[],
  own: Pick<Execution, 'maxAttempts' | 'maxSessions'>,
): Pick<Execution, 'maxAttempts' | 'maxSessions'> {
  const { length } = phasesOf(subtasks)
  return {
    maxAttempts: own.maxAttempts + length * PHASE_ATTEMPTS * (1 + MOST_FIXES),
    maxSessions: own.maxSessions * length + subtasks.length * PHASE_ATTEMPTS,
  }
}

/**
 * The most attempts after the phases: the project's, and one more for each time that its agent was told something,
 * which `known`, the execution's number now, has beside those that it began with.
 */
export const attemptsAfterPhases = (
  subtasks: readonly Pick<Subtask, 'id' | 'dependsOn'>[],
  own: Pick<Execution, 'maxAttempts' | 'maxSessions'>,
  known: number,
): number => own.maxAttempts + Math.max(0, known - sessionsByPlan(subtasks, own).maxAttempts)
