import { lasted } from '../execution/lasted.ts'
import { reviewVerdicts } from '../review/review.ts'
import type { BoardCard } from './board-card.ts'
import { actingOf, lanes } from './board-card.ts'

export const sortKeys = [
  'state',
  'id',
  'title',
  'priority',
  'type',
  'labels',
  'age',
  'run',
  'took',
  'tokens',
  'changes',
  'review',
] as const
export type SortKey = (typeof sortKeys)[number]
export type ListSort = { by: SortKey; down: boolean }

/** "age", or "-age" for the reverse order; null for any other text. */
export function parseSort(text: string): ListSort | null {
  const down = text.startsWith('-')
  const by = sortKeys.find((key) => key === text.slice(down ? 1 : 0))
  return by === undefined ? null : { by, down }
}
export const sortText = ({ by, down }: ListSort): string => `${down ? '-' : ''}${by}`

/** The order after a press on a column's head: by this column, then reversed, then the board's own order. */
export function nextSort(now: ListSort | null, by: SortKey): ListSort | null {
  if (now?.by !== by) return { by, down: false }
  return now.down ? null : { by, down: true }
}

export const tokensOf = ({ execution }: BoardCard): number | null =>
  execution === null ? null : execution.tokens.input + execution.tokens.output

/** When its newest execution ended, or started while it is still running. */
export const runAt = ({ execution }: BoardCard): number | null =>
  execution === null ? null : (execution.endedAt ?? execution.startedAt ?? execution.queuedAt)

/** The duration of an ended execution, milliseconds. */
export const tookMs = ({ execution }: BoardCard): number | null => (execution === null ? null : lasted(execution))

/** Lines that were added or removed. */
export const changesOf = ({ execution }: BoardCard): number | null =>
  execution?.diffSize ? execution.diffSize.added + execution.diffSize.removed : null

type Key = (item: BoardCard) => number | string | null
const keys: Record<SortKey, Key> = {
  state: ({ lane }) => lanes.indexOf(lane),
  id: ({ card }) => card.id,
  title: ({ card }) => card.title.toLowerCase(),
  priority: ({ card }) => card.priority,
  type: ({ card }) => card.type,
  labels: ({ card }) => card.labels[0] ?? null,
  age: ({ card }) => -card.createdAt, // the youngest first
  run: (item) => negated(runAt(actingOf(item))), // the newest first
  took: (item) => negated(tookMs(actingOf(item))), // the longest first
  tokens: (item) => negated(tokensOf(actingOf(item))), // the most first
  changes: (item) => negated(changesOf(actingOf(item))), // the most first
  review: ({ card }) => (card.review === undefined ? null : reviewVerdicts.indexOf(card.review.verdict)),
}
const negated = (value: number | null): number | null => (value === null ? null : -value)

/** Cards without a value come last, in either direction; equal ones keep their order. */
export function sortCards(cards: readonly BoardCard[], sort: ListSort | null): readonly BoardCard[] {
  if (sort === null) return cards
  const key = keys[sort.by]
  const way = sort.down ? -1 : 1
  return cards
    .map((card) => ({ card, at: key(card) }))
    .sort((a, b) => {
      if (a.at === null || b.at === null) return Number(a.at === null) - Number(b.at === null)
      return a.at === b.at ? 0 : a.at < b.at ? -way : way
    })
    .map(({ card }) => card)
}
