import type { Execution } from '@beadloom/core/records/execution.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { subtasksByPhase } from '@beadloom/core/plan/plan-warnings.ts'
import type { PhaseHistory, PhaseRole, PhaseSession, Round } from '@beadloom/core/plan/phase-step.ts'
import type { OnBlocked } from '@beadloom/core/records/pause.ts'
import { defaultPlanning, type PlanningSettings } from '@beadloom/core/records/planning.ts'
import type { Plan } from '@beadloom/core/records/plan.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import { questionsOf } from '../questions.ts'
import type { StoredPhase } from '../../ports/store/phases.ts'

type Asked = Pick<
  PatientStore,
  | 'plan'
  | 'skippedSubtasks'
  | 'answeredSessions'
  | 'phases'
  | 'rounds'
  | 'phaseSessions'
  | 'verifications'
  | 'answers'
  | 'messages'
  | 'askedSessions'
>

/** The version of the plan by which this execution works. */
export function planOf(live: LiveExecution): Plan {
  const { planVersion } = storedOf(live)
  const row = live.deps.store.plan(live.project.id, live.bead.id, planVersion)
  if (!row) throw new Error(`version ${planVersion} of the plan of ${live.bead.id} is gone`)
  return row.plan
}

/** As `PhaseHistory`, with all that is stored of its phases. */
export type StoredHistory = Omit<PhaseHistory, 'phases'> & { phases: readonly StoredPhase[] }

/** Rows of an execution that the caller has read already. */
export type RowsRead = { sessions?: readonly Session[]; verifications?: readonly Verification[] }

/** The whole stored history of its phases. */
export function historyOf(live: LiveExecution): StoredHistory {
  const { planning, onBlocked } = live.settings
  const history = phaseHistory(live.deps.store, storedOf(live), {}, { ...planning, onBlocked })
  if (history === null) throw new Error(`${live.id} does not work by a plan`)
  return history
}

type PhaseSettings = Pick<PlanningSettings, 'maxParallelSubtasks' | 'checkpoint'> & { onBlocked?: OnBlocked }

/** The same for any execution; null: it does not work by a plan. */
export function phaseHistory(
  store: Asked,
  { id, project, bead, planVersion, maxSessions, pauseAsked, waits, continuedAfter }: Execution,
  { sessions, verifications }: RowsRead = {},
  { maxParallelSubtasks, checkpoint, onBlocked = 'end' }: PhaseSettings = defaultPlanning,
): StoredHistory | null {
  const row = planVersion === undefined ? null : store.plan(project, bead, planVersion)
  if (row === null) return null
  const inPhases = store.phaseSessions(id, sessions)
  return {
    plan: subtasksByPhase(row.plan),
    limit: maxParallelSubtasks,
    // A wait that has begun continues, whatever was asked for since.
    pauses: checkpoint === 'phase' || pauseAsked === true || waits?.kind === 'phase',
    continuedAfter,
    maxSessions,
    skipped: store.skippedSubtasks(id),
    answered: store.answeredSessions(id),
    phases: store.phases(id),
    rounds: store.rounds(id),
    questions: questionsOf(store, id, inPhases, onBlocked === 'wait'),
    sessions: inPhases,
    verifications: verifications ?? store.verifications(id),
    answers: store.answers(id),
  }
}

/** The newest session for the same thing in the same round that has not broken before it began; null: none. */
export const newestIn = (
  { sessions }: Pick<PhaseHistory, 'sessions'>,
  { round, role, subtask }: { round: Pick<Round, 'number'>; role: PhaseRole; subtask: string },
): PhaseSession | null =>
  sessions.findLast(
    (one) => one.attempt === round.number && one.role === role && one.subtask === subtask && !neverBegan(one),
  ) ?? null

const neverBegan = ({ outcome, container }: PhaseSession): boolean => outcome === 'infra_error' && container === null
