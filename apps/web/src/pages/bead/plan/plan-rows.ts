import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseSubtaskView, PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { sessionsOf, type KnownSessions, type PhaseSession } from './plan-phases.ts'

/** `depth` from 1; `place` of `of`, counted from 1 among siblings. */
type Placed = { key: string; depth: number; place: number; of: number }

/** A row of the tree: a phase, and below it its subtasks and later steps: checks, fixes, review. */
export type PlanRow = Placed &
  (
    | { is: 'phase'; phase: PhaseView; open: boolean }
    | { is: 'subtask'; phase: PhaseView; subtask: PhaseSubtaskView }
    | { is: 'step'; phase: PhaseView; step: PhaseSession }
  )

export const keyOfPhase = ({ number }: Pick<PhaseView, 'number'>): string => `phase ${number}`
const keyOfSubtask = ({ id }: Pick<PhaseSubtaskView, 'id'>): string => `subtask ${id}`
const keyOfStep = ({ id }: Pick<PhaseSession, 'id'>): string => `session ${id}`

/** The rows of the tree in order, without rows below a closed phase. */
export function planRows(
  phases: readonly PhaseView[],
  execution: KnownSessions | null,
  isOpen: (phase: PhaseView) => boolean,
): PlanRow[] {
  return phases.flatMap((phase, at): PlanRow[] => {
    const open = isOpen(phase)
    const key = keyOfPhase(phase)
    const head: PlanRow = { is: 'phase', key, depth: 1, place: at + 1, of: phases.length, phase, open }
    if (!open) return [head]
    const steps = stepsOf(phase, execution)
    const of = phase.subtasks.length + steps.length
    return [
      head,
      ...phase.subtasks.map((subtask, place): PlanRow => ({
        is: 'subtask',
        key: keyOfSubtask(subtask),
        depth: 2,
        place: place + 1,
        of,
        phase,
        subtask,
      })),
      ...steps.map((step, place): PlanRow => ({
        is: 'step',
        key: keyOfStep(step),
        depth: 2,
        place: phase.subtasks.length + place + 1,
        of,
        phase,
        step,
      })),
    ]
  })
}

/** Checks, fixes and reviews of the newest attempt; earlier attempts are in the phase's details. */
const stepsOf = (phase: PhaseView, execution: KnownSessions | null): PhaseSession[] =>
  sessionsOf(phase, execution).filter(({ role, phaseAttempt }) => role !== 'subtask' && phaseAttempt === phase.attempt)

const isLive = ({ session }: PhaseSession): boolean => session.state !== 'ended'
const isUnderWay = ({ status }: PhaseView): boolean => status === 'running' || status === 'retrying'

/**
 * The row where something happens now: the newest running leaf, or its phase; or the phase that a person should look at
 * before the next one begins. If nothing runs: the failed row, or null.
 */
export function runningKey(
  phases: readonly PhaseView[],
  execution: (KnownSessions & Pick<ExecutionView, 'waits'>) | null,
): string | null {
  const waits = waitOfKind(execution?.waits, 'phase')
  if (waits !== null) return keyOfPhase({ number: waits.after })
  const phase = phases.find(isUnderWay) ?? phases.find(({ status }) => status === 'failed')
  if (!phase) return null
  const live = sessionsOf(phase, execution).findLast(isLive)
  if (live) return live.role === 'subtask' ? keyOfSubtask({ id: live.subtask }) : keyOfStep(live)
  const failed = isUnderWay(phase) ? undefined : phase.subtasks.find(({ status }) => status === 'failed')
  return failed ? keyOfSubtask(failed) : keyOfPhase(phase)
}

/** Whether a phase is open by default: it is under way, failed or next, or the plan is small. */
export function isOpenByItself(phase: PhaseView, phases: readonly PhaseView[]): boolean {
  if (phases.reduce((sum, { subtasks }) => sum + subtasks.length, 0) <= SMALL) return true
  const next = phases.find(({ status }) => status !== 'completed')
  return phase === next || isUnderWay(phase) || phase.status === 'failed'
}

/** Most screens show this many subtasks at once. */
const SMALL = 12

/** The phase of a row; null if the row does not exist. */
export const phaseOfKey = (phases: readonly PhaseView[], key: string): PhaseView | null =>
  phases.find(
    (phase) =>
      keyOfPhase(phase) === key ||
      phase.subtasks.some((one) => keyOfSubtask(one) === key) ||
      phase.sessions.some((one) => keyOfStep(one) === key),
  ) ?? null

/** The target of a key, or the phase that it opens or closes; null: the tree does not use the key. */
export function rowStep(
  rows: readonly PlanRow[],
  at: number,
  key: string,
): { to: number } | { toggle: PhaseView } | null {
  const row = rows[at]
  const last = rows.length - 1
  switch (key) {
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: last }
    case 'ArrowDown':
      return { to: Math.min(last, at + 1) }
    case 'ArrowUp':
      return { to: Math.max(0, at - 1) }
    case 'ArrowRight':
      if (row?.is !== 'phase') return { to: at }
      return row.open ? { to: Math.min(last, at + 1) } : { toggle: row.phase }
    case 'ArrowLeft':
      if (row?.is === 'phase') return row.open ? { toggle: row.phase } : { to: at }
      return {
        to: Math.max(
          0,
          rows.slice(0, at).findLastIndex(({ is }) => is === 'phase'),
        ),
      }
    default:
      return null
  }
}
