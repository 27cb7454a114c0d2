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

/** The last card that was made of a bead; the same again while nothing of it has changed, so that it is not drawn again. */
const made = new WeakMap<BeadCard, BoardCard>()

function cardOf(
  card: BeadCard,
  execution: ExecutionView | null,
  position: number | null,
  lane = laneOf(card, execution),
): BoardCard {
  const old = made.get(card)
  if (old?.execution === execution && old.lane === lane && old.position === position) return old
  const item = { card, execution, lane, position }
  made.set(card, item)
  return item
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
  /** How many beads wait for each one. */
  const unlocks = new Map<string, number>()
  for (const card of board.beads.values()) {
    if (card.hidden) continue
    const id = card.execution
    const execution = id === null ? null : (board.executions.get(id) ?? known.get(id) ?? null)
    const item = cardOf(card, execution, id === null ? null : (positions.get(id) ?? null))
    result[item.lane].push(item)
    for (const other of card.reason?.beads ?? []) unlocks.set(other, (unlocks.get(other) ?? 0) + 1)
  }
  for (const lane of lanes) result[lane].sort(orders[lane])
  const opens = ({ card }: BoardCard) => unlocks.get(card.id) ?? 0
  result.blocked.sort((a, b) => opens(b) - opens(a)) // stable: by priority and age where they open as much
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

export const parseLane = (value: unknown): Lane | undefined => lanes.find((lane) => lane === value)
