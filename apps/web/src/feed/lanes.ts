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
export const boardLanes = (
  board: BoardView,
  queue: ServerStatus['queue'],
  known: ReadonlyMap<string, ExecutionView> = new Map(),
): Record<Lane, BoardCard[]> => new LaneKeeper().lanes(board, queue, known)

/**
 * The same for a board that changes many times a second: what has not changed since it was asked last is the same object
 * again, a card as well as a lane, and only what has changed is put in its place. The answer depends on nothing but what
 * it is asked.
 */
export class LaneKeeper {
  readonly #cards = new Map<string, BoardCard>()
  #lanes: Record<Lane, BoardCard[]> = {
    queued: [],
    running: [],
    blocked: [],
    failed: [],
    timeout: [],
    open: [],
    completed: [],
  }
  #unlocks: ReadonlyMap<string, number> = new Map()

  lanes(
    board: BoardView,
    queue: ServerStatus['queue'],
    known: ReadonlyMap<string, ExecutionView> = new Map(),
  ): Record<Lane, BoardCard[]> {
    const positions = new Map(queue.map(({ execution, position }) => [execution, position]))
    /** How many beads wait for each one. */
    const unlocks = new Map<string, number>()
    const gone = new Set<BoardCard>()
    const come: BoardCard[] = []
    let shown = 0
    for (const card of board.beads.values()) {
      if (card.hidden) continue
      shown++
      for (const other of card.reason?.beads ?? noBeads) unlocks.set(other, (unlocks.get(other) ?? 0) + 1)
      const id = card.execution
      const execution = id === null ? null : (board.executions.get(id) ?? known.get(id) ?? null)
      const position = id === null ? null : (positions.get(id) ?? null)
      const old = this.#cards.get(card.id)
      if (old !== undefined && old.card === card && old.execution === execution && old.position === position) continue
      const item = { card, execution, lane: laneOf(card, execution), position }
      this.#cards.set(card.id, item)
      if (old !== undefined) gone.add(old)
      come.push(item)
    }
    if (this.#cards.size > shown)
      for (const [id, item] of this.#cards) {
        const card = board.beads.get(id)
        if (card !== undefined && !card.hidden) continue
        this.#cards.delete(id)
        gone.add(item)
      }
    this.#put(gone, come, unlocks)
    return this.#lanes
  }

  #put(gone: ReadonlySet<BoardCard>, come: readonly BoardCard[], unlocks: ReadonlyMap<string, number>): void {
    const touched = new Set([...[...gone].map(({ lane }) => lane), ...come.map(({ lane }) => lane)])
    const opens = ({ card }: BoardCard) => unlocks.get(card.id) ?? 0
    const before = this.#unlocks
    if (this.#lanes.blocked.some((item) => opens(item) !== (before.get(item.card.id) ?? 0))) touched.add('blocked')
    this.#unlocks = unlocks
    if (touched.size === 0) return
    const next = { ...this.#lanes }
    for (const lane of touched) {
      const mine = come.filter((item) => item.lane === lane)
      if (lane === 'blocked') {
        // Every other bead that is waited for may change its order.
        next[lane] = [...next[lane].filter((item) => !gone.has(item)), ...mine].sort(
          (a, b) => opens(b) - opens(a) || orders.blocked(a, b),
        )
      } else next[lane] = merged(next[lane], gone, mine.toSorted(orders[lane]), orders[lane])
    }
    this.#lanes = next
  }
}

const noBeads: readonly string[] = []

/** Both are in order already, so one walk is enough. */
function merged(
  old: readonly BoardCard[],
  gone: ReadonlySet<BoardCard>,
  come: readonly BoardCard[],
  order: Order,
): BoardCard[] {
  const result: BoardCard[] = []
  let at = 0
  for (const item of old) {
    if (gone.has(item)) continue
    for (let next = come[at]; next !== undefined && order(next, item) < 0; next = come[++at]) result.push(next)
    result.push(item)
  }
  for (; at < come.length; at++) result.push(come[at]!)
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
