import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseSessionView, PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { phasesOf } from '@beadloom/core/plan/phases.ts'
import { nineSubtasks } from '@beadloom/core/plan/plan-kit.ts'
import { pendingPhases } from './plan-phases.ts'

/* A plan of nine subtasks, and executions at some point in it. */

export const plan = { subtasks: nineSubtasks, phases: phasesOf(nineSubtasks) } as PlanView

export const id = (number: number) => `ex-1.${number}` as SessionId

/** A session, with times in seconds; without an end it still runs. */
export const session = (number: number, from: number, to: number | null, given: Partial<Session> = {}): Session =>
  ({
    id: id(number),
    number,
    state: to === null ? 'running' : 'ended',
    outcome: to === null ? null : 'success',
    startedAt: from * 1000,
    endedAt: to === null ? null : to * 1000,
    tokens: { input: 90, output: 10 },
    ...given,
  }) as Session

export const ran = (number: number, role: PhaseSessionView['role'], subtask = '', phaseAttempt = 1) => ({
  id: id(number),
  role,
  subtask,
  phaseAttempt,
})

/** The phases of the plan; the given ones have progressed beyond pending. */
export const phasesWith = (...given: Partial<PhaseView>[]): PhaseView[] =>
  pendingPhases(plan).map((phase, at) => ({ ...phase, ...given[at] }))

export const executionOf = (sessions: Session[], endedAt: number | null = null): ExecutionView =>
  ({ sessions, endedAt, verifications: [] as Verification[] }) as ExecutionView
