import type { BeadCard } from '../api/beads/bead-api.ts'
import type { ExecutionView } from '../api/executions/execution-api.ts'
import { isTerminal } from '../records/execution.ts'

/** The columns of the board, in order of attention. */
export const lanes = ['queued', 'running', 'blocked', 'failed', 'timeout', 'open', 'completed'] as const
export type Lane = (typeof lanes)[number]

export const noCards = (): Record<Lane, BoardCard[]> => ({
  queued: [],
  running: [],
  blocked: [],
  failed: [],
  timeout: [],
  open: [],
  completed: [],
})

export type BoardCard = {
  card: BeadCard
  execution: ExecutionView | null
  lane: Lane
  position: number | null
  /** Follow-ups shown inside this bead, without reminders; left out if there are none. */
  followUps?: readonly BoardCard[]
  /** The follow-up that puts it in this lane: its agent works, waits for a slot, or has a question. */
  through?: BoardCard
}

/** The card whose execution works, and which a press of Cancel stops. */
export const actingOf = (item: BoardCard): BoardCard => item.through ?? item

/** An execution whose engine has no place for it does no work yet. */
const isQueued = ({ state, waitsForPlace }: ExecutionView): boolean => state === 'QUEUED' || waitsForPlace !== undefined

/** The lane of a bead: by its live execution, otherwise by its own status. */
export function laneOf(card: BeadCard, execution: ExecutionView | null): Lane {
  if (execution && !isTerminal(execution.state)) return isQueued(execution) ? 'queued' : 'running'
  switch (card.status) {
    case 'done':
      return 'completed'
    case 'blocked':
      return 'blocked'
    case 'timeout':
      return 'timeout'
    case 'in_progress':
      if (card.failed === true) return 'failed'
      // A failed bead stays in progress. Without an execution here, somebody else has taken it.
      return card.execution === null || execution?.state === 'CANCELLED' ? 'open' : 'failed'
    case 'open':
      return 'open'
  }
}

/** The lanes into which a follow-up takes its bead along, the most urgent first. */
const takingAlong = ['running', 'queued', 'blocked'] as const satisfies readonly Lane[]

/**
 * The lane of a bead with its follow-ups, and the follow-up that decides it; null: the bead itself does. A bead that
 * works itself, or is done, stays in its lane; a question outranks a failure.
 */
export function laneWith<T extends { lane: Lane }>(
  own: Lane,
  followUps: readonly T[],
): { lane: Lane; through: T | null } {
  if (own === 'queued' || own === 'running' || own === 'completed') return { lane: own, through: null }
  for (const lane of takingAlong) {
    if (lane === own) break
    const through = followUps.find((one) => one.lane === lane)
    if (through !== undefined) return { lane, through }
  }
  return { lane: own, through: null }
}

export const parseLane = (value: unknown): Lane | undefined => lanes.find((lane) => lane === value)
