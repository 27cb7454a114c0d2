import type { ExecutionView } from '@beadloom/core/api/api.ts'
import type { PhaseSessionView, PhaseSubtaskView, PhaseView } from '@beadloom/core/api/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plan-api.ts'
import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import { cameTo } from '@beadloom/core/execution/check-session.ts'
import type { Session, SessionOutcome } from '@beadloom/core/execution/session.ts'
import { allTokens } from '@beadloom/core/execution/token-use.ts'

/** The phases of a plan that nothing has worked by yet. */
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

/** A session of a phase with what the execution knows about it. `cameTo`: null while it runs. */
export type PhaseSession = PhaseSessionView & { session: Session; cameTo: SessionOutcome | null }

export type KnownSessions = Pick<ExecutionView, 'sessions' | 'verifications'>

/** The sessions of a phase in order. One that has just begun may not be known yet. */
export const sessionsOf = (phase: Pick<PhaseView, 'sessions'>, execution: KnownSessions | null): PhaseSession[] =>
  phase.sessions.flatMap((one) => {
    const session = execution?.sessions.find(({ id }) => id === one.id)
    return execution && session ? [{ ...one, session, cameTo: cameTo(session, execution) }] : []
  })

/** `ms` null: it has not begun. */
export type Cost = { ms: number | null; tokens: number }

/** How long a phase has taken up to now, and the tokens of all its sessions. */
export function costOfPhase(phase: PhaseView, execution: ExecutionView | null, now: number): Cost {
  const own = sessionsOf(phase, execution)
  // It is over when its execution is, also where it has not come to its end.
  const endedAt = phase.endedAt ?? execution?.endedAt ?? null
  const ms = phase.from === null ? lastedBy({ startedAt: phase.startedAt, endedAt }, now) : null
  return { ms, tokens: tokensOf(own) }
}

/** How long the newest session of a subtask has taken, and the tokens of all its sessions. */
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
