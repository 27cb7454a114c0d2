import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseSessionView, PhaseSubtaskView, PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import { cameTo } from '@beadloom/core/execution/check-session.ts'
import type { Session, SessionOutcome } from '@beadloom/core/records/session.ts'
import { allTokens } from '@beadloom/core/budget/token-use.ts'

/** The phases of a plan before any work. */
export function pendingPhases({ phases, subtasks }: Pick<PlanView, 'phases' | 'subtasks'>): PhaseView[] {
  return phases.map((ids, at) => ({
    number: at + 1,
    status: 'pending',
    activity: null,
    attempt: 0,
    prePhaseCommit: null,
    commit: null,
    from: null,
    startedAt: null,
    endedAt: null,
    subtasks: ids.flatMap((id) => subtasks.filter((one) => one.id === id)).map(pendingSubtask),
    trees: [],
    review: null,
    sessions: [],
    summary: '',
  }))
}

const pendingSubtask = ({ id, title, type }: PlanView['subtasks'][number]): PhaseSubtaskView => ({
  id,
  title,
  type,
  status: 'pending',
  attempt: 0,
  session: null,
  startedAt: null,
  endedAt: null,
  error: null,
})

/** A session of a phase, joined with the execution's facts about it. `cameTo`: null while it runs. */
export type PhaseSession = PhaseSessionView & { session: Session; cameTo: SessionOutcome | null }

export type KnownSessions = Pick<ExecutionView, 'sessions' | 'verifications'>

/** The sessions of a phase in order. A session that has just begun may still be unknown, and missing here. */
export const sessionsOf = (phase: Pick<PhaseView, 'sessions'>, execution: KnownSessions | null): PhaseSession[] =>
  phase.sessions.flatMap((one) => {
    const session = execution?.sessions.find(({ id }) => id === one.id)
    return execution && session ? [{ ...one, session, cameTo: cameTo(session, execution) }] : []
  })

/** `ms` null: not begun yet. */
export type Cost = { ms: number | null; tokens: number }

/** A phase's duration so far, and the tokens of all its sessions. */
export function costOfPhase(phase: PhaseView, execution: ExecutionView | null, now: number): Cost {
  const own = sessionsOf(phase, execution)
  // A phase is over with its execution, even if it never reached its own end.
  const endedAt = phase.endedAt ?? execution?.endedAt ?? null
  const ms = phase.from === null ? lastedBy({ startedAt: phase.startedAt, endedAt }, now) : null
  return { ms, tokens: tokensOf(own) }
}

/** The duration of a subtask's newest session, and the tokens of all its sessions. */
export function costOfSubtask(
  phase: PhaseView,
  { id, session: newest }: PhaseSubtaskView,
  execution: ExecutionView | null,
  now: number,
): Cost {
  const own = sessionsOf(phase, execution).filter(({ subtask }) => subtask === id)
  const last = own.find((one) => one.id === newest)?.session
  return { ms: last ? lastedBy(last, now) : null, tokens: tokensOf(own) }
}

const tokensOf = (own: readonly PhaseSession[]): number =>
  own.reduce((sum, { session }) => sum + allTokens(session.tokens), 0)
