import type { PhaseActivity, PhaseSessionView, PhaseSubtaskView } from '@beadloom/core/api/plans/phase-api.ts'
import { isTerminal, type Execution } from '@beadloom/core/records/execution.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { phaseStep, type PhaseHistory, type PhaseStep, type Round } from '@beadloom/core/plan/phase-step.ts'
import type { PhaseStatus } from '@beadloom/core/plan/plan-tree.ts'
import type { Subtask } from '@beadloom/core/records/plan.ts'
import type { StoredPhase } from '../../ports/store/phases.ts'
import type { StoredHistory } from '../../workflow/phases/phase-history.ts'

/** A phase of an execution; `last` is its newest round. */
export type PhaseState = {
  number: number
  status: PhaseStatus
  /** The number of the attempt, from 1; 0 before the phase begins. */
  attempt: number
  subtasks: readonly Subtask[]
  row: StoredPhase | undefined
  rounds: readonly Round[]
  last: Round | undefined
}

export const phaseStates = (execution: Execution, { plan, phases, rounds }: StoredHistory): PhaseState[] =>
  plan.map((subtasks, at) => {
    const number = at + 1
    const row = phases.find((one) => one.number === number)
    const own = rounds.filter((one) => one.phase === number)
    const last = own.at(-1)
    const status = statusOf(execution, row, last)
    return { number, status, attempt: last?.attempt ?? 0, subtasks, row, rounds: own, last }
  })

function statusOf({ state }: Execution, row: StoredPhase | undefined, last: Round | undefined): PhaseStatus {
  if (row === undefined) return 'pending'
  if (row.commit !== null) return 'completed'
  if (isTerminal(state)) return 'failed'
  return (last?.attempt ?? 1) > 1 ? 'retrying' : 'running'
}

/** The present work on it; null unless it is under way. */
export const activityOf = (history: PhaseHistory, { status }: PhaseState): PhaseActivity | null =>
  isUnderWay(status) ? activityIn(phaseStep(history)) : null

const isUnderWay = (status: PhaseStatus): boolean => status === 'running' || status === 'retrying'

function activityIn(step: PhaseStep): PhaseActivity | null {
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

export const subtaskViews = (
  history: PhaseHistory,
  { status, subtasks, row, rounds, last }: PhaseState,
  sessions: readonly Session[],
): PhaseSubtaskView[] => {
  const isDone = typeof row?.commit === 'string'
  const round = last && rounds.find((one) => one.attempt === last.attempt)
  return subtasks.map(({ id, title, type }) => {
    const own = history.sessions.findLast((one) => one.subtask === id && one.attempt === round?.number)
    const session = own && sessions.find((one) => one.id === own.id)
    const asks = own?.outcome === 'blocked' && isUnderWay(status)
    const failed = !asks && own?.state === 'ended' && own.outcome !== 'success'
    const ended = own?.outcome === 'success' || isDone || history.skipped?.includes(id) === true
    return {
      id,
      title,
      type,
      status: ended ? 'completed' : asks ? 'asking' : failed ? 'failed' : own ? 'running' : 'pending',
      attempt: own ? (last?.attempt ?? 0) : 0,
      session: own?.id ?? null,
      startedAt: session?.startedAt ?? null,
      endedAt: session?.endedAt ?? null,
      error: failed ? own.detail : null,
    }
  })
}

/** The sessions until it was approved: later ones are about the bead as a whole. */
export function sessionsOf(
  { sessions: agents }: PhaseHistory,
  { rounds, row }: PhaseState,
  sessions: readonly Session[],
): PhaseSessionView[] {
  const until = row?.endedAt ?? null
  return sessions.flatMap(({ id, kind, attempt, startedAt }): PhaseSessionView[] => {
    const round = rounds.find(({ number }) => number === attempt)
    if (!round || (until !== null && startedAt > until)) return []
    const phaseAttempt = round.attempt
    if (kind === 'verify') return [{ id, role: 'check', subtask: '', phaseAttempt }]
    const agent = agents.find((one) => one.id === id)
    return agent ? [{ id, role: agent.role, subtask: agent.subtask, phaseAttempt }] : []
  })
}
