import type { PhaseActivity, PhaseProgress, PhaseSessionView } from '../api/plans/phase-api.ts'

/** The activity in a phase, apart from its subtasks. */
const activityWords: Record<Exclude<PhaseActivity, 'subtasks'>, string> = {
  checks: 'checks',
  mending: 'fixing failed checks',
  review: 'review',
}

/** "phase 2 of 4 · 1 of 2 subtasks", "phase 2 of 4, again · review". */
export function progressText({ phase, of, status, activity, done, subtasks }: PhaseProgress): string {
  const where = `phase ${phase} of ${of}${status === 'retrying' ? ', again' : ''}`
  if (activity === null) return where
  return `${where} · ${activity === 'subtasks' ? subtasksText(done, subtasks) : activityWords[activity]}`
}

/** "1 of 2 subtasks". */
export const subtasksText = (done: number, all: number): string =>
  `${done} of ${all} ${all === 1 ? 'subtask' : 'subtasks'}`

const roleWords: Record<Exclude<PhaseSessionView['role'], 'subtask'>, string> = {
  fix: 'fix',
  check: 'checks',
  review: 'review',
}

/**
 * A session in words, with the plan's name of the subtask: "Phase 2 · 2a", "Phase 2 · review", "Phase 2, again ·
 * checks".
 */
export const phaseSessionText = ({
  phase,
  role,
  subtask,
  phaseAttempt,
}: PhaseSessionView & { phase: number }): string =>
  `Phase ${phase}${phaseAttempt > 1 ? ', again' : ''} · ${role === 'subtask' ? subtask : roleWords[role]}`
