import type { BoardCard } from '@beadloom/core/board/board-card.ts'

/** The least number of cards shown, so that a quiet week does not leave the column empty. */
export const AT_LEAST = 20

export type RecentDays<T> = {
  shown: readonly T[]
  /** The day below the ones shown; null if all are shown. */ older: Day | null
}
export type Day = { start: number; count: number }

const endOf = ({ card, execution }: BoardCard): number => execution?.endedAt ?? card.updatedAt

/** Takes cards, newest first: whole days until there are enough, and then `more` further days. */
export function recentDays<T extends BoardCard>(cards: readonly T[], more: number): RecentDays<T> {
  let at = 0
  for (let days = 0; at < cards.length && (at < AT_LEAST || days < more);) {
    if (at >= AT_LEAST) days++
    at = endOfDay(cards, at).next
  }
  if (at >= cards.length) return { shown: cards, older: null }
  const { start, next } = endOfDay(cards, at)
  return { shown: cards.slice(0, at), older: { start, count: next - at } }
}

/** The start of the day of the card at this index, and the index of the first card of another day. */
function endOfDay(cards: readonly BoardCard[], at: number): { start: number; next: number } {
  const first = cards[at]
  if (first === undefined) return { start: 0, next: at }
  const day = new Date(endOf(first))
  const start = day.setHours(0, 0, 0, 0)
  let next = at + 1
  for (let card = cards[next]; card !== undefined && endOf(card) >= start; card = cards[++next]);
  return { start, next }
}
