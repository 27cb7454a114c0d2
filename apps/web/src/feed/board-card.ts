import type { BeadCard, ExecutionView } from '@beadloom/core/api/api.ts'
import { isTerminal } from '@beadloom/core/execution/execution.ts'

/** The columns of the board, in order of attention. */
export const lanes = ['queued', 'running', 'blocked', 'failed', 'timeout', 'open', 'completed'] as const
export type Lane = (typeof lanes)[number]

export type BoardCard = { card: BeadCard; execution: ExecutionView | null; lane: Lane; position: number | null }

/** The lane of a bead: a live execution knows best, otherwise the bead's own status. */
export function laneOf(card: BeadCard, execution: ExecutionView | null): Lane {
  if (execution && !isTerminal(execution.state)) return execution.state === 'QUEUED' ? 'queued' : 'running'
  switch (card.status) {
    case 'done':
      return 'completed'
    case 'blocked':
      return 'blocked'
    case 'timeout':
      return 'timeout'
    case 'in_progress':
      if (card.failed === true) return 'failed'
      // A failed bead stays in progress. Without an execution of ours, somebody else has taken it.
      return card.execution === null || execution?.state === 'CANCELLED' ? 'open' : 'failed'
    case 'open':
      return 'open'
  }
}

export const parseLane = (value: unknown): Lane | undefined => lanes.find((lane) => lane === value)
