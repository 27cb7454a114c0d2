import type { BeadCard, ExecutionView, ServerStatus } from '@beadloom/core/api.ts'
import { isTerminal } from '@beadloom/core/execution.ts'
import type { BoardView } from './board-fold.ts'

/** The columns of the board, in order of attention. */
export const lanes = ['queued', 'running', 'blocked', 'failed', 'timeout', 'open', 'completed'] as const
export type Lane = (typeof lanes)[number]

export type BoardCard = { card: BeadCard; execution: ExecutionView | null; lane: Lane; position: number | null }

/** Where a bead stands: a live execution says it best, otherwise the bead's own status. */
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
      // A failed bead stays in progress. Without an execution of ours, somebody else has taken it.
      return card.execution === null || execution?.state === 'CANCELLED' ? 'open' : 'failed'
    case 'open':
      return 'open'
  }
}

/** All cards by lane, each lane in its order. `known` are executions that ended before the feed began. */
export function boardLanes(
  board: BoardView,
  queue: ServerStatus['queue'],
  known: ReadonlyMap<string, ExecutionView> = new Map(),
): Record<Lane, BoardCard[]> {
  const positions = new Map(queue.map(({ execution, position }) => [execution, position]))
  const result: Record<Lane, BoardCard[]> = {
    queued: [],
    running: [],
    blocked: [],
    failed: [],
    timeout: [],
    open: [],
    completed: [],
  }
  for (const card of board.beads.values()) {
    if (card.hidden) continue
    const id = card.execution
    const execution = id === null ? null : (board.executions.get(id) ?? known.get(id) ?? null)
    const lane = laneOf(card, execution)
    result[lane].push({ card, execution, lane, position: id === null ? null : (positions.get(id) ?? null) })
  }
  for (const lane of lanes) result[lane].sort(orders[lane])
  return result
}

type Order = (a: BoardCard, b: BoardCard) => number

const byId: Order = (a, b) => (a.card.id < b.card.id ? -1 : 1)
const byPriority: Order = (a, b) =>
  a.card.priority - b.card.priority || a.card.createdAt - b.card.createdAt || byId(a, b)
const endOf = ({ card, execution }: BoardCard) => execution?.endedAt ?? card.updatedAt
const newestFirst: Order = (a, b) => endOf(b) - endOf(a) || byId(a, b)
const startOf = ({ execution }: BoardCard) => execution?.startedAt ?? execution?.queuedAt ?? 0

const orders: Record<Lane, Order> = {
  // The scheduler's own order; who has no position yet is at the end.
  queued: (a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || startOf(a) - startOf(b) || byId(a, b),
  running: (a, b) => startOf(a) - startOf(b) || byId(a, b),
  blocked: byPriority,
  failed: newestFirst,
  timeout: newestFirst,
  open: (a, b) => Number(b.card.ready) - Number(a.card.ready) || byPriority(a, b),
  completed: newestFirst,
}

/** Every word of the filter must be somewhere in the id, the title, a label or the type. */
export function matchesFilter({ card }: BoardCard, filter: string): boolean {
  if (filter === '') return true
  const text = `${card.id} ${card.title} ${card.type} ${card.labels.join(' ')} p${card.priority}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export const parseLane = (value: unknown): Lane | undefined => lanes.find((lane) => lane === value)
