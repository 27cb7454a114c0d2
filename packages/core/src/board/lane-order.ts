import type { BoardCard, Lane } from './board-card.ts'

export type Order = (a: BoardCard, b: BoardCard) => number

const byId: Order = (a, b) => (a.card.id < b.card.id ? -1 : 1)
const byPriority: Order = (a, b) =>
  a.card.priority - b.card.priority || a.card.createdAt - b.card.createdAt || byId(a, b)
const endOf = ({ card, execution }: BoardCard) => execution?.endedAt ?? card.updatedAt
const newestFirst: Order = (a, b) => endOf(b) - endOf(a) || byId(a, b)
const startOf = ({ execution }: BoardCard) => execution?.startedAt ?? execution?.queuedAt ?? 0

/** The order of each lane. */
export const orders: Record<Lane, Order> = {
  // The scheduler's own order; executions without a position yet come last.
  queued: (a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || startOf(a) - startOf(b) || byId(a, b),
  running: (a, b) => startOf(a) - startOf(b) || byId(a, b),
  blocked: byPriority,
  failed: newestFirst,
  timeout: newestFirst,
  open: (a, b) => Number(b.card.ready) - Number(a.card.ready) || byPriority(a, b),
  completed: newestFirst,
}
