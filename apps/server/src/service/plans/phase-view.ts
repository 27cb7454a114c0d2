import type { ExecutionView } from '@beadloom/core/api/api.ts'
import type {
  PhaseActivity,
  PhaseProgress,
  PhaseSessionView,
  PhaseSubtaskView,
  PhaseView,
} from '@beadloom/core/api/phase-api.ts'
import { isTerminal, type Execution } from '@beadloom/core/execution/execution.ts'
import type { Session } from '@beadloom/core/execution/session.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import { phaseStep, type PhaseHistory, type PhaseStep, type Round } from '@beadloom/core/plan/phase-step.ts'
import type { PhaseStatus } from '@beadloom/core/plan/plan-tree.ts'
import type { Subtask } from '@beadloom/core/plan/plan.ts'
import type { StoredPhase } from '../../ports/store/phases.ts'
import type { Store } from '../../ports/store.ts'
import { phaseHistory } from '../../workflow/phases/phase-history.ts'
import { reviewView, treeView } from './phase-trees.ts'

/** The phases of an execution; none where it does not work by a plan. */
export function phaseViews(store: Store, execution: Execution): PhaseView[] {
  const history = phaseHistory(store, execution)
  if (history === null) return []
  const stored = store.phases(execution.id)
  const sessions = store.sessions(execution.id)
  const known = knownChecks(store, stored, history.verifications)
  return history.plan.map((subtasks, at) => {
    const number = at + 1
    const row = stored.find((one) => one.number === number)
    const rounds = history.rounds.filter((one) => one.phase === number)
    const last = rounds.at(-1)
    const status = statusOf(execution, row, last)
    const before = known.filter(({ commit }) => commit === row?.preCommit)
    return {
      number,
      status,
      activity: isUnderWay(status) ? activityOf(phaseStep(history)) : null,
      attempt: last?.attempt ?? 0,
      prePhaseCommit: row?.preCommit ?? null,
      commit: row?.commit ?? null,
      from: row?.from ?? null,
      startedAt: row?.startedAt ?? null,
      endedAt: row?.endedAt ?? null,
      subtasks: subtasks.map((one) =>
        subtaskView(history, sessions, one, { isDone: typeof row?.commit === 'string', last }),
      ),
      trees: rounds.map((round) => treeView(history, round, before)),
      review: last ? reviewView(history, last) : null,
      sessions: sessionsOf(history, sessions, rounds, row?.endedAt ?? null),
      summary: row?.summary ?? '',
    }
  })
}

/** What a card and a list of sessions show of the plan by which an execution works; nothing where there is none. */
export function planned(store: Store, execution: Execution): Pick<ExecutionView, 'progress' | 'inPhases'> {
  const phases = execution.planVersion === undefined ? [] : phaseViews(store, execution)
  const progress = progressOf(phases)
  if (progress === null) return {}
  return {
    progress,
    inPhases: phases.flatMap(({ number, sessions }) => sessions.map((one) => ({ ...one, phase: number }))),
  }
}

function progressOf(phases: readonly PhaseView[]): PhaseProgress | null {
  const now = phases.find(({ status }) => status !== 'completed') ?? phases.at(-1)
  if (!now) return null
  const { number: phase, status, activity, attempt, subtasks } = now
  const done = subtasks.filter((one) => one.status === 'completed').length
  return { phase, of: phases.length, status, activity, attempt, done, subtasks: subtasks.length }
}

/** Also those of phases that an earlier execution has done. */
const knownChecks = (store: Store, stored: readonly StoredPhase[], own: readonly Verification[]): Verification[] => [
  ...[...new Set(stored.flatMap(({ from }) => from ?? []))].flatMap((id) => store.verifications(id)),
  ...own,
]

function statusOf({ state }: Execution, row: StoredPhase | undefined, last: Round | undefined): PhaseStatus {
  if (row === undefined) return 'pending'
  if (row.commit !== null) return 'completed'
  if (isTerminal(state)) return 'failed'
  return (last?.attempt ?? 1) > 1 ? 'retrying' : 'running'
}

const isUnderWay = (status: PhaseStatus): boolean => status === 'running' || status === 'retrying'

function activityOf(step: PhaseStep): PhaseActivity | null {
  switch (step.do) {
    case 'adopt':
      return step.role === 'review' ? 'review' : step.role === 'fix' ? 'mending' : 'subtasks'
    case 'begin_phase':
    case 'subtasks':
      return 'subtasks'
    case 'begin_round':
      return step.kind === 'fix' ? 'mending' : 'subtasks'
    case 'fix':
      return 'mending'
    case 'join':
    case 'verify':
      return 'checks'
    case 'review':
    case 'approve':
      return 'review'
    default:
      return null
  }
}

function subtaskView(
  history: PhaseHistory,
  sessions: readonly Session[],
  { id, title, type }: Subtask,
  { isDone, last }: { isDone: boolean; last: Round | undefined },
): PhaseSubtaskView {
  const round = last && history.rounds.find((one) => one.phase === last.phase && one.attempt === last.attempt)
  const own = history.sessions.findLast((one) => one.subtask === id && one.attempt === round?.number)
  const session = own && sessions.find((one) => one.id === own.id)
  const failed = own?.state === 'ended' && own.outcome !== 'success'
  const ended = own?.outcome === 'success' || isDone || history.skipped?.includes(id) === true
  return {
    id,
    title,
    type,
    status: ended ? 'completed' : failed ? 'failed' : own ? 'running' : 'pending',
    attempt: own ? (last?.attempt ?? 0) : 0,
    session: own?.id ?? null,
    startedAt: session?.startedAt ?? null,
    endedAt: session?.endedAt ?? null,
    error: failed ? own.detail : null,
  }
}

/** @param until when the phase was approved: what comes later is about the bead as a whole */
function sessionsOf(
  { sessions: agents }: PhaseHistory,
  sessions: readonly Session[],
  rounds: readonly Round[],
  until: number | null,
): PhaseSessionView[] {
  return sessions.flatMap(({ id, kind, attempt, startedAt }): PhaseSessionView[] => {
    const round = rounds.find(({ number }) => number === attempt)
    if (!round || (until !== null && startedAt > until)) return []
    const phaseAttempt = round.attempt
    if (kind === 'verify') return [{ id, role: 'check', subtask: '', phaseAttempt }]
    const agent = agents.find((one) => one.id === id)
    return agent ? [{ id, role: agent.role, subtask: agent.subtask, phaseAttempt }] : []
  })
}
